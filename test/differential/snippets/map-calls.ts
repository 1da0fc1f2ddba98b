import type { Json, JsonObject } from "#lib/json.ts";
import { chance, pick } from "../values.ts";
import { aKey, aWord, mapOf, someOf } from "./literals.ts";
import type { Caller, World } from "./world.ts";

const mapMerge: Caller = {
  name: "map_merge",
  gives: "map",
  args: (world) =>
    world.errs()
      ? world.value("any")
      : someOf(world.random, 4, () => (chance(world.random, 12) ? null : world.value("map"))),
};

const NEW_KEYS = ["K1", "K2", "K3", "K4", "a"] as const;

const renames = (world: World): Json =>
  mapOf(world.random, () => (chance(world.random, 5) ? null : pick(world.random, NEW_KEYS)));

/** Keys of JSON are strings, so only strings can be replaced. */
const newValues = (world: World): Json =>
  Object.fromEntries(someOf(world.random, 3, () => [aWord(world.random), world.value("any")]));

const mapReplace: Caller = {
  name: "map_replace",
  gives: "map",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const map: JsonObject = Object.fromEntries(
      someOf(random, 3, () => [
        aKey(random),
        chance(random, 60) ? aWord(random) : world.value("any"),
      ]),
    );
    const changes: JsonObject = {
      ...(chance(random, 60) ? { keys: world.errs() ? world.value("any") : renames(world) } : {}),
      ...(chance(random, 60)
        ? { values: world.errs() ? world.value("any") : newValues(world) }
        : {}),
      ...(world.errs() ? { bogus: {} } : {}),
    };
    return [chance(random, 80) ? map : world.value("map"), chance(random, 93) ? changes : null];
  },
};

export const MAP_CALLS: readonly Caller[] = [mapMerge, mapReplace];
