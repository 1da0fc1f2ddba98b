import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import { aStack, ask, drain, nodeName, sweep, update } from "../world/drive.ts";
import type { GroupSpec, Spec, WorldOptions } from "../world/spec.ts";
import { Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";

const POLLED_MS = 20_000;
const MINUTE_MS = 60_000;
const ROUNDS_MAX = 60;

/** Two members always serve and one changes at a time, so a roll of two members needs a surplus. */
const CAREFUL = { minimum: 2, batch: 1 } as const;

export const groupOf = (count: number, value: string, more: Partial<GroupSpec> = {}): Spec => ({
  g: {
    group: {
      count,
      member: { properties: { v: value, name: "member-%index%" } },
      rolling: CAREFUL,
      ...more,
    },
  },
});

export const waitingMembers = (count: number, value: string, more: Partial<GroupSpec> = {}): Spec =>
  groupOf(count, value, {
    member: { type: "Sim::Waiting", properties: { v: value, name: "member-%index%" } },
    ...more,
  });

export const below = (world: World): Stack =>
  present(world.nestedCheckers.nested.at(-1), "a nested stack");

const isMember = ({ type }: Resource): boolean => type !== BARRIER_TYPE;

export const memberNames = (world: World): string =>
  world.store
    .rowsOf(below(world).id)
    .filter((row) => isMember(row) && !(row.action === "DELETE" && row.status === "COMPLETE"))
    .map(({ name }) => name)
    .sort()
    .join(" ");

export const atWork = (world: World): readonly Resource[] =>
  world.allRows.filter(({ operation }) => operation?.type === "Sim::Waiting");

export const namesAtWork = (world: World): string =>
  atWork(world)
    .map(({ name }) => name)
    .sort()
    .join(" ");

/**
 * Signals all members at work until none is left.
 * @returns their names, one round after another.
 */
export const roll = async (world: World, roundsMax = ROUNDS_MAX): Promise<string> => {
  const rounds: string[] = [];
  await drain(world);
  for (let quiet = 0; quiet < 2 && rounds.length < roundsMax; ) {
    const working = atWork(world);
    quiet = working.length === 0 ? quiet + 1 : 0;
    if (working.length > 0) rounds.push(namesAtWork(world));
    for (const row of working) await ask(world, world.signal(row, "COMPLETE"));
    // A visit that waits for an older operation is delivered again after this time.
    if (working.length === 0) world.clock.advance(POLLED_MS);
    await drain(world);
  }
  return rounds.join(", ");
};

export const comeToRest = async (world: World): Promise<void> => {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await roll(world);
    const isAtRest = [...world.stacks.values()].every(({ status }) => status !== "IN_PROGRESS");
    if (isAtRest && world.allRows.every(({ operation }) => operation === null)) return;
  }
  throw new Violation("L1: the group never comes to rest");
};

export const minutesPass = async (world: World, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    world.clock.advance(MINUTE_MS);
    await sweep(world);
    await drain(world);
  }
};

export const holdBelow =
  (world: World, node: string) =>
  (pending: PendingMessage): boolean =>
    pending.message.stackId === below(world).id && nodeName(world, pending) === node;

export const rolledOut = async (options: Partial<WorldOptions> = {}): Promise<World> => {
  const world = await aStack(groupOf(2, "1"), options);
  await update(world, groupOf(2, "2"));
  await drain(world, { hold: (pending) => isEndOf(world, pending) });
  if (!isBetween(world)) throw new Violation("the roll is not between its traversals");
  return world;
};

const isEndOf = (world: World, pending: PendingMessage): boolean =>
  nodeName(world, pending) === "gU" && isBetween(world);

export const isBetween = (world: World): boolean => {
  const { owner, status, traversalNumber } = below(world);
  return status === "COMPLETE" && traversalNumber > 1 && owner?.step === undefined;
};
