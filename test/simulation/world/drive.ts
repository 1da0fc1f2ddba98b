import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import { checkQuiet } from "./nested-checkers.ts";
import type { Spec, WorldOptions } from "./spec.ts";
import { Violation } from "./violation.ts";
import type { Worker } from "./workers.ts";
import { STACK_ID, World } from "./world.ts";

/** This is longer than a lease, and shorter than a message stays invisible. */
export const LEASE_PASSED_MS = 100_000;
export const REDELIVERED_MS = 400_000;
const DELIVERIES_MAX = 20_000;

export const aWorld = (options: Partial<WorldOptions> = {}): World =>
  new World({ seed: 1, inline: false, ...options });

export const aStack = async (spec: Spec, options: Partial<WorldOptions> = {}): Promise<World> => {
  const world = aWorld(options);
  await create(world, spec);
  await drain(world);
  return world;
};

export const aPreparedStack = async (
  spec: Spec,
  options: Partial<WorldOptions> = {},
): Promise<World> => {
  const world = aWorld(options);
  await create(world, spec);
  await drain(world, { visits: 1 });
  return world;
};

export const finish = async (world: World, worker: Worker): Promise<void> => {
  while (!worker.finished && !worker.dead) await world.step(worker);
  if (world.failure !== null) throw world.failure;
};

export const runUntil = async (world: World, worker: Worker, call: string): Promise<void> => {
  while (worker.points[0]?.name !== call) {
    if (worker.finished) throw new Violation(`${worker.label} ended before ${call}`);
    await world.step(worker);
  }
};

/** The node that a message is for: "aU" is the update of a, "aC" its cleanup. */
export const nodeName = (world: World, { message }: PendingMessage): string => {
  if (message.type === "prepare_traversal") return "prepare";
  const nodes = world.store.dump().graphs.flatMap((graph) => graph.nodes);
  const node = nodes.find((one) => one.resourceId === message.resourceId);
  return `${node?.name ?? "?"}${message.isUpdate ? "U" : "C"}`;
};

export const messageFor = (world: World, node: string): PendingMessage =>
  present(
    world.deliverable().find((one) => nodeName(world, one) === node),
    `a message for ${node}`,
  );

export const deliverNode = (world: World, node: string): Promise<Worker> =>
  world.deliver(messageFor(world, node));

export const deliverUntil = async (world: World, node: string, call: string): Promise<Worker> => {
  const worker = await deliverNode(world, node);
  await runUntil(world, worker, call);
  return worker;
};

type ProviderCall = "create" | "update" | "delete";

export const refuseAt = async (world: World, worker: Worker, call: ProviderCall): Promise<void> => {
  await runUntil(world, worker, `fakeProvider.${call}`);
  world.refuseNext = true;
  await finish(world, worker);
};

export const refuse = async (world: World, node: string, call: ProviderCall): Promise<void> =>
  refuseAt(world, await deliverNode(world, node), call);

export interface DrainOptions {
  readonly visits?: number;
  /** Messages that stay in the queue. */
  readonly hold?: string | ((pending: PendingMessage) => boolean);
}

/**
 * Delivers what is due, oldest first and one at a time.
 * @returns the number of deliveries.
 */
export const drain = async (world: World, { visits, hold }: DrainOptions = {}): Promise<number> => {
  const isHeld =
    typeof hold === "string" ? (one: PendingMessage) => nodeName(world, one) === hold : hold;
  let delivered = 0;
  while (delivered < (visits ?? DELIVERIES_MAX)) {
    const pending = world.deliverable().find((one) => isHeld === undefined || !isHeld(one));
    if (pending === undefined) break;
    await finish(world, await world.deliver(pending));
    delivered++;
  }
  if (delivered >= DELIVERIES_MAX) throw new Violation("S21: the deliveries never end");
  return delivered;
};

export const drainNewestFirst = async (world: World): Promise<void> => {
  for (;;) {
    const pending = world.deliverable().at(-1);
    if (pending === undefined) return;
    await finish(world, await world.deliver(pending));
  }
};

export const ask = async (world: World, request: Promise<Worker>): Promise<void> =>
  finish(world, await request);

export const create = (world: World, spec: Spec): Promise<void> => ask(world, world.create(spec));

export const act = (world: World, action: StackAction): Promise<void> =>
  ask(world, world.act(action));

export const update = (world: World, spec: Spec): Promise<void> =>
  ask(world, world.act("UPDATE", spec));

export const fullUpdate = (world: World, spec: Spec): Promise<void> =>
  ask(world, world.act("UPDATE", spec, STACK_ID, true));

export const sweep = (world: World): Promise<void> => ask(world, world.sweep());

export const signal = (
  world: World,
  name: string,
  result: "COMPLETE" | "FAILED" = "COMPLETE",
): Promise<void> => ask(world, world.signal(theRow(world, name), result));

export const redeliver = async (world: World): Promise<void> => {
  world.clock.advance(REDELIVERED_MS);
  await drain(world);
};

export const theRow = (world: World, name: string): Resource =>
  present(
    world.rows.find((row) => row.name === name && row.action !== "DELETE"),
    `row ${name}`,
  );

/** Checks that everything is at rest, and that the provider has what the target says. */
export const verify = (world: World, state: string): void => {
  const { stack } = world;
  if (stack === null) throw new Violation("no stack");
  const found = `${stack.action}_${stack.status}`;
  if (found !== state) throw new Violation(`${found} (${stack.statusReason}), not ${state}`);
  checkQuiet(world, stack, stack.status === "COMPLETE" && stack.action !== "CHECK");
};

export const settle = async (world: World, state: string): Promise<number> => {
  const delivered = await drain(world);
  verify(world, state);
  return delivered;
};
