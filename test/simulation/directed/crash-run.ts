/**
 * One run of a stack's life on a calm schedule: one worker at a time, the oldest message first. So
 * the port calls come in the same order each time, and a crash or another event can be placed at
 * any of them. A dead worker's message is redelivered, the clock advances and the sweeper runs.
 */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { present } from "#lib/errors.ts";
import { isAtRest } from "../random/at-rest.ts";
import { theRow } from "../world/drive.ts";
import { checkQuiet } from "../world/nested-checkers.ts";
import { signalType } from "../world/users.ts";
import { Violation } from "../world/violation.ts";
import type { Worker } from "../world/workers.ts";
import { STACK_ID, World } from "../world/world.ts";
import { BATCHES, type CrashScenario, crashScenario, GROUPS, SCALING } from "./crash-scenario.ts";
import { happens, type Interleaving } from "./interleaving.ts";
import { nodesOf } from "./partial.ts";
import {
  DELETES,
  DELETES_LATE,
  DELETES_SLOW,
  DELETES_WAITING,
  HELD,
  type LifeRequest,
  PARTIAL,
  PARTIAL_GROUPS,
} from "./race-scenarios.ts";

export interface CrashAt {
  readonly call: number;
  readonly when: "before" | "after" | Interleaving;
}

export interface CrashRun {
  readonly calls: readonly string[];
  readonly starts: ReadonlySet<number>;
  readonly requests: readonly number[];
  /** The event cannot happen at its moment, so the run was given up. */
  readonly isVoid: boolean;
  readonly failure: string | null;
  readonly story: readonly string[];
}

export interface CrashOptions {
  readonly nodes: number | LifeName;
  readonly inline: boolean;
  /** As in a large stack: row ids are spread, and a prepare makes one call in each message. */
  readonly large?: boolean;
  readonly partNodesMax?: number | undefined;
  /**
   * The run ends with the request that the last crash hit, once everything is at rest and verified.
   */
  readonly brief?: boolean;
}

const SWEEP_MS = 60_000;
const ROUNDS_MAX = 400;
const CALLS_MAX = 20_000;
const TRIES_MAX = 3;

const lifeOf = ({ created, updated, failing, signals }: CrashScenario): readonly LifeRequest[] => {
  const good = signals === undefined ? {} : { signals };
  return [
    { action: "CREATE", spec: created, end: "CREATE_COMPLETE", ...good },
    { action: "UPDATE", spec: updated, end: "UPDATE_COMPLETE", ...good },
    { action: "UPDATE", spec: failing, end: "ROLLBACK_COMPLETE" },
    { action: "DELETE", end: "DELETE_COMPLETE" },
  ];
};

const LIVES = {
  batches: lifeOf(BATCHES),
  groups: lifeOf(GROUPS),
  scaling: lifeOf(SCALING),
  partial: PARTIAL,
  "partial-groups": PARTIAL_GROUPS,
  held: HELD,
  deletes: DELETES,
  "deletes-slow": DELETES_SLOW,
  "deletes-late": DELETES_LATE,
  "deletes-waiting": DELETES_WAITING,
} as const satisfies Readonly<Record<string, readonly LifeRequest[]>>;
export type LifeName = keyof typeof LIVES;

export const isLifeName = (name: string): name is LifeName => Object.hasOwn(LIVES, name);

class Void extends Error {}

class Life {
  readonly #world: World;
  readonly #requests: readonly LifeRequest[];
  readonly #crashes: CrashAt[];
  readonly #isBrief: boolean;
  #at = 0;
  #wasOvertaken = false;
  readonly calls: string[] = [];
  readonly starts = new Set<number>();
  readonly requests: number[] = [];

  constructor(
    { nodes, inline, large = false, partNodesMax, brief = false }: CrashOptions,
    crashes: readonly CrashAt[],
  ) {
    const stack = { disableRollback: false, timeoutMins: 10_000 };
    const options = { seed: 1, inline, partNodesMax, ...stack };
    this.#world = new World(
      large ? { ...options, spreadsRows: true, prepareBudget: { remainingMs: () => 0 } } : options,
    );
    this.#requests = typeof nodes === "number" ? lifeOf(crashScenario(nodes)) : LIVES[nodes];
    this.#crashes = [...crashes];
    this.#isBrief = brief && crashes.length > 0;
  }

  get story(): readonly string[] {
    return this.#world.story;
  }

  get #request(): LifeRequest {
    return present(this.#requests[this.#at], "a request");
  }

  async live(): Promise<void> {
    for (; this.#at < this.#requests.length; this.#at++) {
      this.requests.push(this.calls.length);
      await this.#play();
      for (const policy of this.#request.signals ?? []) await this.#signal(policy);
      const isHit = this.#crashes.length === 0;
      // The later requests expect a stack that no request has overtaken.
      if (isHit && (this.#wasOvertaken || (this.#isBrief && this.#request.end !== null))) return;
    }
    if (this.#crashes.length > 0) throw new Violation("a crash was asked for after the end");
  }

  #ask({ action, spec, visitsAll }: LifeRequest): Promise<Worker> {
    const world = this.#world;
    return action === "CREATE"
      ? world.create(present(spec, "the first target"))
      : world.act(action, spec, STACK_ID, visitsAll);
  }

  async #play(): Promise<void> {
    const world = this.#world;
    const asked = this.#request;
    const before = world.stack?.traversalNumber ?? 0;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      await this.#work(await this.#ask(asked));
      if ((world.stack?.traversalNumber ?? 0) > before) break;
    }
    await this.#drain();
    if (this.#request.end !== null) await this.#quiet();
    if (this.#request.end !== null) this.#verify(this.#request.end);
    if (asked === this.#request) this.#verifyNodes(asked);
  }

  #verify(end: string): void {
    const { stack } = this.#world;
    if (stack === null) throw new Violation("there is no stack");
    const found = `${stack.action}_${stack.status}`;
    if (found !== end) throw new Violation(`L2: ${found} (${stack.statusReason}), not ${end}`);
    checkQuiet(this.#world, stack, true);
  }

  #verifyNodes({ nodes }: LifeRequest): void {
    const found = nodesOf(this.#world);
    if (nodes !== undefined && found !== nodes) throw new Violation(`P24: it visits ${found}`);
  }

  /**
   * @returns false when the request was refused, or there is no next request that comes to an end.
   */
  async #overtake(): Promise<boolean> {
    const world = this.#world;
    const next = this.#requests[this.#at + 1];
    if (next === undefined || next.end === null) return false;
    const [before, hits] = [world.stack?.traversalNumber, this.#crashes.length];
    await this.#work(await this.#ask(next));
    if (world.stack?.traversalNumber === before) return this.#crashes.length < hits;
    this.#at += 1;
    this.#wasOvertaken = true;
    await this.#drain();
    return true;
  }

  async #signal(policy: string): Promise<void> {
    const world = this.#world;
    await this.#work(await signalType(world, theRow(world, policy)));
    await this.#quiet();
    if (world.stack !== null) checkQuiet(world, world.stack, false);
  }

  async #work(worker: Worker, pending: PendingMessage | null = null): Promise<void> {
    const world = this.#world;
    this.starts.add(this.calls.length);
    while (!worker.finished && !worker.dead) {
      const call = this.calls.length;
      this.calls.push(worker.points[0]?.name ?? "?");
      const crash = this.#crashes[0];
      if (crash?.call === call) {
        this.#crashes.shift();
        await this.#strike(worker, pending, crash.when);
      } else await world.step(worker);
      if (world.failure !== null) throw world.failure;
      if (call > CALLS_MAX) throw new Violation("S21: the port calls never end");
    }
  }

  async #strike(
    worker: Worker,
    pending: PendingMessage | null,
    what: CrashAt["when"],
  ): Promise<void> {
    const world = this.#world;
    if (what === "before" || what === "after") return world.crash(worker, what);
    world.tell(`${worker.label} is ${what} at ${worker.points[0]?.name ?? "?"}`);
    const hasHappened = await happens(what, {
      world,
      worker,
      pending,
      run: (other, its) => this.#work(other, its),
      drain: () => this.#drain(),
      overtake: () => this.#overtake(),
    });
    if (!hasHappened) throw new Void();
  }

  async #drain(): Promise<void> {
    const world = this.#world;
    for (;;) {
      const [pending] = world.deliverable();
      if (pending === undefined) return;
      await this.#work(await world.deliver(pending), pending);
    }
  }

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
  let isVoid = false;
  try {
    await life.live();
  } catch (error) {
    if (error instanceof Void) isVoid = true;
    else failure = error instanceof Violation ? error.message : String(error);
    if (error instanceof Error && !(error instanceof Violation || isVoid))
      failure += `\n${error.stack}`;
  }
  const { calls, starts, requests, story } = life;
  return { calls, starts, requests, isVoid, failure, story };
};
