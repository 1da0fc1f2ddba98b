/**
 * One run of the crash scenario on a calm schedule: one worker at a time, the oldest message first.
 * So the port calls come in the same order each time, and a crash can be placed at any of them. A
 * dead worker's message is redelivered, the clock advances and the sweeper runs.
 */

import { isAtRest } from "../random/at-rest.ts";
import { theRow } from "../world/drive.ts";
import { checkQuiet } from "../world/nested-checkers.ts";
import { signalType } from "../world/users.ts";
import { Violation } from "../world/violation.ts";
import type { Worker } from "../world/workers.ts";
import { World } from "../world/world.ts";
import { BATCHES, type CrashScenario, crashScenario, GROUPS, SCALING } from "./crash-scenario.ts";

export interface CrashAt {
  readonly call: number;
  readonly when: "before" | "after";
}

export interface CrashRun {
  /** The port calls, including those of crashed workers. */
  readonly calls: readonly string[];
  /** The calls that were the first of their worker. */
  readonly starts: ReadonlySet<number>;
  readonly failure: string | null;
  readonly story: readonly string[];
}

export interface CrashOptions {
  /**
   * The number of resources of the full scenario. "batches": members and barriers of a template.
   * "groups": a group that rolls with a surplus. "scaling": a group that signals scale.
   */
  readonly nodes: number | "batches" | "groups" | "scaling";
  readonly inline: boolean;
  /** Graphs with more nodes are stored in parts. */
  readonly partNodesMax?: number | undefined;
  /**
   * The run ends with the request that the last crash hit, when everything is at rest and verified.
   */
  readonly brief?: boolean;
}

const SWEEP_MS = 60_000;
const ROUNDS_MAX = 400;
const CALLS_MAX = 20_000;
const TRIES_MAX = 3;

const NAMED = { batches: BATCHES, groups: GROUPS, scaling: SCALING } as const;

const scenarioOf = (nodes: CrashOptions["nodes"]): CrashScenario =>
  typeof nodes === "number" ? crashScenario(nodes) : NAMED[nodes];

class Life {
  readonly #world: World;
  readonly #scenario: CrashScenario;
  readonly #crashes: CrashAt[];
  readonly #isBrief: boolean;
  readonly calls: string[] = [];
  readonly starts = new Set<number>();

  constructor(
    { nodes, inline, partNodesMax, brief = false }: CrashOptions,
    crashes: readonly CrashAt[],
  ) {
    const stack = { disableRollback: false, timeoutMins: 10_000 };
    this.#world = new World({ seed: 1, inline, partNodesMax, ...stack });
    this.#scenario = scenarioOf(nodes);
    this.#crashes = [...crashes];
    this.#isBrief = brief && crashes.length > 0;
  }

  get story(): readonly string[] {
    return this.#world.story;
  }

  async live(): Promise<void> {
    const { created, updated, failing } = this.#scenario;
    const world = this.#world;
    const requests = [
      { ask: () => world.create(created), end: "CREATE_COMPLETE" },
      { ask: () => world.act("UPDATE", updated), end: "UPDATE_COMPLETE" },
      { ask: () => world.act("UPDATE", failing), end: "ROLLBACK_COMPLETE" },
      { ask: () => world.act("DELETE"), end: "DELETE_COMPLETE" },
    ];
    for (const { ask, end } of requests) {
      await this.#request(ask, end);
      const isGood = end === "CREATE_COMPLETE" || end === "UPDATE_COMPLETE";
      for (const policy of isGood ? (this.#scenario.signals ?? []) : []) await this.#signal(policy);
      if (this.#isBrief && this.#crashes.length === 0) return;
    }
    if (this.#crashes.length > 0) throw new Violation("a crash was asked for after the end");
  }

  /** A user whose request died looks at the stack and asks again if nothing happened. */
  async #request(ask: () => Promise<Worker>, end: string): Promise<void> {
    const world = this.#world;
    const before = world.stack?.traversalNumber ?? 0;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      await this.#work(await ask());
      await this.#quiet();
      if ((world.stack?.traversalNumber ?? 0) > before) break;
    }
    const { stack } = world;
    if (stack === null) throw new Violation("there is no stack");
    const found = `${stack.action}_${stack.status}`;
    if (found !== end) throw new Violation(`L2: ${found} (${stack.statusReason}), not ${end}`);
    checkQuiet(world, stack, true);
  }

  /** Its sender never learns what it did, and does not ask again. */
  async #signal(policy: string): Promise<void> {
    const world = this.#world;
    await this.#work(await signalType(world, theRow(world, policy)));
    await this.#quiet();
    if (world.stack !== null) checkQuiet(world, world.stack, false);
  }

  async #work(worker: Worker): Promise<void> {
    const world = this.#world;
    this.starts.add(this.calls.length);
    while (!worker.finished && !worker.dead) {
      const call = this.calls.length;
      this.calls.push(worker.points[0]?.name ?? "?");
      const crash = this.#crashes[0];
      if (crash?.call === call) {
        this.#crashes.shift();
        await world.crash(worker, crash.when);
      } else await world.step(worker);
      if (world.failure !== null) throw world.failure;
      if (call > CALLS_MAX) throw new Violation("S21: the port calls never end");
    }
  }

  async #drain(): Promise<void> {
    const world = this.#world;
    for (;;) {
      const [pending] = world.deliverable();
      if (pending === undefined) return;
      await this.#work(await world.deliver(pending));
    }
  }

  /** The sweeper runs when a minute passes without other work. */
  async #quiet(): Promise<void> {
    const world = this.#world;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      await this.#drain();
      const waiting = world.allRows.filter((row) => row.operation?.type === "Sim::Waiting");
      for (const row of waiting) await this.#work(await world.signal(row, "COMPLETE"));
      await this.#drain();
      const nextMs =
        Math.min(...world.queue.pending.map((one) => one.deliverAt)) - world.clock.now();
      if (nextMs <= SWEEP_MS) {
        world.clock.advance(nextMs);
        continue;
      }
      if (world.queue.pending.length === 0 && isAtRest(world)) return;
      world.clock.advance(SWEEP_MS);
      await this.#work(await world.sweep());
    }
    throw new Violation("L1: it never comes to rest");
  }
}

/** `crashes` are in ascending order of their calls. */
export const crashRun = async (
  options: CrashOptions,
  crashes: readonly CrashAt[],
): Promise<CrashRun> => {
  const life = new Life(options, crashes);
  let failure: string | null = null;
  try {
    await life.live();
  } catch (error) {
    failure = error instanceof Violation ? error.message : String(error);
    if (error instanceof Error && !(error instanceof Violation)) failure += `\n${error.stack}`;
  }
  return { calls: life.calls, starts: life.starts, failure, story: life.story };
};
