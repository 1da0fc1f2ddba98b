import { expect, it, vi } from "vitest";
import { OVERDUE_MS_MIN } from "#lib/convergence/limits.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { RetryLater } from "#lib/errors.ts";
import { at, createStack, openWorld, type World } from "../api/api-world.ts";

const TEMPLATE = { heat_template_version: "2016-10-14", resources: {} };

const whileBusy = async <Result>(world: World, work: () => Promise<Result>): Promise<Result> => {
  const sending = vi.spyOn(world.queue, "send").mockRejectedValue(new RetryLater("busy"));
  const result = await work();
  sending.mockRestore();
  return result;
};

it("P1: a request is accepted while the queue is busy, and the sweeper begins it", async () => {
  const world = openWorld();
  const path = await whileBusy(world, () => createStack(world, "app", { template: TEMPLATE }));
  const status = async () => at((await world.send("GET", path)).body, "stack", "stack_status");
  expect([await status(), world.queue.pending]).toEqual(["CREATE_IN_PROGRESS", []]);
  world.clock.advance(OVERDUE_MS_MIN);
  await sweep(world.ports);
  await world.settle();
  expect(await status()).toBe("CREATE_COMPLETE");
  const update = () => world.send("PUT", path, { template: { ...TEMPLATE, description: "new" } });
  expect((await whileBusy(world, update)).status).toBe(202);
  world.clock.advance(OVERDUE_MS_MIN);
  await sweep(world.ports);
  await world.settle();
  expect(await status()).toBe("UPDATE_COMPLETE");
});
