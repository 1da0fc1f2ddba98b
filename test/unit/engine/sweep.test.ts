import { expect, it, vi } from "vitest";
import { sweep } from "#lib/convergence/sweep.ts";
import { SomeUnreadable } from "#lib/errors.ts";
import { createStack, openWorld } from "../api/api-world.ts";

const STACKS = 40;
/** The stacks that a round reaches before its time is up. */
const SWEPT = 4;
const MINUTE_MS = 60_000;

it("L5: rounds that are too short for all stacks in progress come to each of them in turn", async () => {
  const world = openWorld();
  const template = { heat_template_version: "2016-10-14", resources: {} };
  for (let stack = 0; stack < STACKS; stack += 1) {
    await createStack(world, `app-${stack}`, { template });
  }
  const listed = vi.spyOn(world.store, "listResources");
  const reached = new Set<string>();
  for (let round = 0; round < (2 * STACKS) / SWEPT; round += 1) {
    listed.mockClear();
    await sweep(world.ports);
    for (const [stackId] of listed.mock.calls.slice(0, SWEPT)) reached.add(stackId);
    world.clock.advance(MINUTE_MS);
  }
  expect(reached.size).toBe(STACKS);
});

it("L5: an unreadable stack does not stop the sweep of the others, and is reported at the end", async () => {
  const world = openWorld();
  const template = { heat_template_version: "2016-10-14", resources: {} };
  await createStack(world, "app", { template });
  world.queue.pending.splice(0);
  const readable = await world.store.listUnsettledStacks();
  const listUnsettledStacks = () => Promise.reject(new SomeUnreadable("1 of 2 stacks", readable));
  const ports = { ...world.ports, store: { ...world.store, listUnsettledStacks } };
  const error = await sweep(ports).catch((thrown: unknown) => thrown);
  expect(String(error)).toBe("Bug: 1 of 2 stacks cannot be read");
  expect(JSON.stringify(error)).not.toContain("app");
  expect(world.queue.pending).toMatchObject([{ message: { type: "prepare_traversal" } }]);
});
