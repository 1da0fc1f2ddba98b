import { expect, it, vi } from "vitest";
import { OVERDUE_MS_MIN, SWEEP_REMAINING_MS_MIN } from "#lib/convergence/limits.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { RetryLater } from "#lib/errors.ts";
import { createStack, openWorld, type World } from "../api/api-world.ts";

const STACKS = 40;
const TEMPLATE = { heat_template_version: "2016-10-14", resources: {} };
const MINUTE_MS = 60_000;

const lostStacks = async (count: number): Promise<World> => {
  const world = openWorld();
  for (let stack = 0; stack < count; stack += 1) {
    await createStack(world, `app-${stack}`, { template: TEMPLATE });
  }
  world.queue.pending.splice(0);
  world.clock.advance(MINUTE_MS);
  return world;
};

const stacksSentTo = (world: World): readonly string[] =>
  world.queue.pending.splice(0).map(({ message }) => message.stackId);

const timeFor = (count: number) => {
  let left = count;
  return () => (left-- > 0 ? SWEEP_REMAINING_MS_MIN + 1 : SWEEP_REMAINING_MS_MIN);
};

it("P11, L5: a round that is cut off is continued by the next one, and misses no stack", async () => {
  const world = await lostStacks(STACKS);
  const reached: string[] = [];
  for (const count of [7, 0, 11, 5]) {
    const report = await sweep(world.ports, { remainingMs: timeFor(count) });
    expect(report).toEqual({ stacks: count, sent: count });
    reached.push(...stacksSentTo(world));
  }
  expect(await sweep(world.ports)).toMatchObject({ stacks: STACKS - reached.length });
  reached.push(...stacksSentTo(world));
  expect(new Set(reached).size).toBe(STACKS);
  expect(await sweep(world.ports)).toMatchObject({ stacks: STACKS });
});

it("P11, L5: a round that a stack kills does not begin at the same page again", async () => {
  const world = await lostStacks(3);
  const [first, second] = (await world.store.listUnsettledStacks(null, 2)).stacks;
  const never = new Promise<never>(() => undefined);
  const pages = vi
    .spyOn(world.store, "listUnsettledStacks")
    .mockResolvedValueOnce({ stacks: first ? [first] : [], next: first ?? null })
    .mockReturnValueOnce(never);
  vi.spyOn(world.store, "getStack").mockReturnValueOnce(never);
  void sweep(world.ports);
  await vi.waitFor(() => expect(pages).toHaveBeenCalledTimes(2));
  vi.restoreAllMocks();
  const after = await sweep(world.ports);
  expect(after.stacks).toBe(2);
  expect(stacksSentTo(world)).toContain(second?.id);
});

it("P11, L5: a stack that cannot be read stops no other, and is named at the end", async () => {
  const world = await lostStacks(3);
  const [broken] = (await world.store.listUnsettledStacks(null, 1)).stacks;
  const { getStack } = world.store;
  vi.spyOn(world.store, "getStack").mockImplementation((tenant, id) =>
    id === broken?.id ? Promise.reject(new Error("odd")) : getStack(tenant, id),
  );
  await expect(sweep(world.ports)).rejects.toThrow(`stack ${broken?.id} cannot be swept`);
  expect(stacksSentTo(world)).toHaveLength(2);
  vi.restoreAllMocks();
});

it("P11: a busy table is reported as busy, and the other stacks are swept", async () => {
  const world = await lostStacks(3);
  vi.spyOn(world.store, "getStack").mockRejectedValueOnce(new RetryLater("throttled"));
  await expect(sweep(world.ports)).rejects.toBeInstanceOf(RetryLater);
  expect(stacksSentTo(world)).toHaveLength(2);
  vi.restoreAllMocks();
});

it("P11: a settled stack costs no read, and none is read twice", async () => {
  const world = openWorld();
  for (const name of ["one", "two"]) await createStack(world, name, { template: TEMPLATE });
  await world.settle();
  const reads = (["getStack", "listRows", "getGraph", "getSyncPoint"] as const).map((method) =>
    vi.spyOn(world.store, method),
  );
  expect(await sweep(world.ports)).toEqual({ stacks: 0, sent: 0 });
  for (const read of reads) expect(read).not.toHaveBeenCalled();
  await createStack(world, "three", { template: TEMPLATE });
  world.clock.advance(OVERDUE_MS_MIN);
  for (const read of reads) read.mockClear();
  await sweep(world.ports);
  const [stack, rows] = reads;
  expect(stack).toHaveBeenCalledTimes(1);
  expect(rows).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
