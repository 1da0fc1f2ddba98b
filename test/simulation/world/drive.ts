/** Driving a world by hand: what the directed scenarios are written in. */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { checkQuiet } from "./nested-checkers.ts";
import type { Spec, WorldOptions } from "./spec.ts";
import type { Worker } from "./workers.ts";
import { World } from "./world.ts";

export const aWorld = (options: Partial<WorldOptions> = {}): World =>
  new World({ seed: 1, inline: false, ...options });

/** Lets a worker run to its end, undisturbed. */
export const finish = async (world: World, worker: Worker): Promise<void> => {
  while (!worker.finished && !worker.dead) await world.step(worker);
  if (world.failure !== null) throw world.failure;
};

/** Lets a worker run until it is about to make a certain call. */
export const runUntil = async (world: World, worker: Worker, call: string): Promise<void> => {
  while (worker.points[0]?.name !== call) {
    if (worker.finished) throw new Error(`${worker.label} ended before ${call}`);
    await world.step(worker);
  }
};

const DELIVERIES_MAX = 20_000;

export interface DrainOptions {
  /** At most so many deliveries. */
  readonly visits?: number;
  /** Messages that are left in the queue. */
  readonly hold?: (pending: PendingMessage) => boolean;
}

/** Delivers what is due, oldest first and one at a time; answers how many that were. */
export const drain = async (world: World, { visits, hold }: DrainOptions = {}): Promise<number> => {
  let delivered = 0;
  while (delivered < (visits ?? DELIVERIES_MAX)) {
    const pending = world.deliverable().find((one) => hold === undefined || !hold(one));
    if (pending === undefined) break;
    await finish(world, await world.deliver(pending));
    delivered++;
  }
  if (delivered >= DELIVERIES_MAX) throw new Error("S21: the deliveries never end");
  return delivered;
};

export const ask = async (world: World, request: Promise<Worker>): Promise<void> =>
  finish(world, await request);

export const create = async (world: World, spec: Spec): Promise<void> => {
  await ask(world, world.create(spec));
};

export const update = async (world: World, spec: Spec): Promise<void> => {
  await ask(world, world.act("UPDATE", spec));
};

/** Everything at rest, and reality is what the target says. */
export const verify = (world: World, state: string): void => {
  const { stack } = world;
  if (stack === null) throw new Error("no stack");
  const found = `${stack.action}_${stack.status}`;
  if (found !== state) throw new Error(`${found} (${stack.statusReason}), not ${state}`);
  checkQuiet(world, stack, stack.status === "COMPLETE" && stack.action !== "CHECK");
};

export const expect = (holds: boolean, text: string): void => {
  if (!holds) throw new Error(text);
};
