import type { ResolveAnswer } from "#lib/engine/resources/resolve-resource.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Random } from "#lib/ports/ports.ts";
import { answer } from "../world/users.ts";
import type { World } from "../world/world.ts";
import { chance, pick } from "./random-spec.ts";

const RETRIES_PERCENT = 50;

const truth = (world: World, random: Random, row: Resource): ResolveAnswer => {
  const [made] = world.watchedProvider.objectsFor(row.id);
  if (made !== undefined) return { answer: "import", physicalResourceId: made };
  return { answer: chance(random, RETRIES_PERCENT) ? "retry" : "nothing was made" };
};

export const answerForOne = async (world: World, random: Random): Promise<boolean> => {
  const row = pick(
    random,
    world.rows.filter(({ outcomeUnknown }) => outcomeUnknown),
  );
  if (row === undefined) return false;
  await answer(world, row.id, truth(world, random, row));
  return true;
};
