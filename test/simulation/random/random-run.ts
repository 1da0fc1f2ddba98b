/**
 * One random run. A seed decides the graph, the updates, the requests, the faults and the order of
 * all steps. Faults are bounded. After them comes a quiet phase, in which everything must end.
 */
import type { PendingMessage } from "#lib/adapters/memory/queue.ts";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { SETTLE_MS_MIN, TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import type { Random } from "#lib/ports/ports.ts";
import { type Chaos, drawChaos } from "../world/chaos.ts";
import { checkQuiet } from "../world/nested-checkers.ts";
import { PreviewCheck } from "../world/preview-check.ts";
import type { Spec } from "../world/spec.ts";
import { isWaitingType } from "../world/types.ts";
import { clearHook, purge } from "../world/users.ts";
import { Violation } from "../world/violation.ts";
import type { Worker } from "../world/workers.ts";
import { World } from "../world/world.ts";
import { answerForOne } from "./answers.ts";
import { isAtRest, isAwaited, isForDoneNode, isGood } from "./at-rest.ts";
import { drain, WORKERS_MAX } from "./drain.ts";
import { asInLargeStack } from "./large-stack.ts";
import { nearUpdates } from "./near-spec.ts";
import { groupsOf, signalSomePolicy } from "./random-group.ts";
import { type RandomRestores, restoresOf } from "./random-restores.ts";
import {
  chance,
  earlyDelete,
  losesCreations,
  nestedSpec,
  partNodesOf,
  pick,
  restsPercent,
  specsOf,
  sweepOptions,
  TYPES,
  TYPES_WITHOUT_SWEEPER,
  withExternalObjects,
  withHooksAndPolicies,
} from "./random-spec.ts";
import { failureOf, type RunOptions, type RunResult, resultOf } from "./run-result.ts";

const STEPS_MAX = 20_000;
const QUIET_ROUNDS_MAX = 400;
const LEASE_JUMP_MS = 100_000;
const SWEEP_MS = 60_000;
/** A dead agent delays a delete until its deadline, once at each level of nesting. */
const DELETES_MAX = 8;
const HOOKS_AND_POLICIES_EVERY = 3;
export class RandomRun {
  readonly #random: Random;
  readonly #world: World;
  readonly #chaos: Chaos;
  readonly #types: readonly string[];
  readonly #size: number;
  #failedAt = -1;
  #steps = 0;
  /** Without the sweeper, losses and inline steps, redelivery alone must end everything. */
  readonly #sweeps: boolean;
  readonly #isShort: boolean;
  readonly #seed: number;
  /** Separate generators for hooks and for rests keep the other choices of a seed unchanged. */
  readonly #hookChoices: Random;
  readonly #hasHooks: boolean;
  readonly #losesCreations: boolean;
  readonly #isNested: boolean;
  readonly #restChoices: Random;
  readonly #restores: RandomRestores | null;
  readonly #withGroup: (spec: Spec) => Spec;
  readonly #update: ReturnType<typeof nearUpdates>;

  constructor(seed: number, { nested = false, previews = false }: RunOptions = {}) {
    this.#seed = seed;
    this.#isNested = nested;
    this.#restChoices = memoryRandom(seed * 69_069 + 5);
    this.#hookChoices = memoryRandom(seed * 40_503 + 7);
    this.#hasHooks = !nested && seed % HOOKS_AND_POLICIES_EVERY === 0;
    this.#update = nearUpdates(seed, this.#hasHooks);
    this.#random = memoryRandom(seed * 2_654_435_761 + 1);
    const random = this.#random;
    this.#sweeps = chance(random, 75) || nested;
    this.#losesCreations = losesCreations(seed, this.#sweeps) && !nested;
    const types = this.#sweeps && !nested ? TYPES : TYPES_WITHOUT_SWEEPER;
    this.#types = chance(random, 50) ? [TYPES[0]] : types;
    this.#withGroup = groupsOf(seed, this.#types);
    this.#size = 1 + random.below(6);
    this.#isShort = this.#sweeps && chance(random, 15);
    this.#world = new World({
      seed,
      inline: this.#sweeps && chance(random, 60),
      disableRollback: chance(random, 50),
      timeoutMins: this.#isShort ? 10 : 10_000,
      partNodesMax: partNodesOf(seed),
      ...asInLargeStack(seed),
    });
    this.#restores = restoresOf(seed, this.#world, this.#sweeps);
    if (previews) this.#world.previews = new PreviewCheck(this.#world);
    this.#chaos = drawChaos(random, this.#sweeps);
  }

  async run(): Promise<RunResult> {
    const world = this.#world;
    let failure: string | null = null;
    try {
      await world.create(this.#spec());
      await this.#storm();
      await this.#quiet("after the storm");
      if (world.stack === null) await world.create(this.#spec());
      await this.#quiet("after a second try");
      if (chance(this.#restChoices, restsPercent(this.#isNested))) await this.#rest();
      if (chance(this.#random, 10)) await this.#longAfter();
      await this.#delete();
    } catch (error) {
      failure = failureOf(error);
    }
    return resultOf(world, { seed: this.#seed, failure, steps: this.#steps });
  }

  /** Agents may be dead for good. Their deadlines still let a delete end. */
  async #delete(): Promise<void> {
    const world = this.#world;
    const agentsLive = !this.#isShort || chance(this.#random, 50);
    for (let tries = 0; tries < DELETES_MAX; tries++) {
      await world.act("DELETE");
      await this.#quiet("after the delete", agentsLive);
      if (world.stack?.status === "COMPLETE" && world.stack.action === "DELETE") return;
    }
    this.#check(false, "L3: undeletable");
  }

  async #longAfter(): Promise<void> {
    const world = this.#world;
    if (world.queue.pending.length > 0) return;
    world.tell("weeks pass, and what has expired is gone");
    world.clock.advance(TOMBSTONE_MS + 1);
    this.#restores?.weeksPass();
    // Without their tombstones, the checkers would report retained objects as orphans.
    if (!this.#hasHooks) world.store.purgeExpired(world.clock.now());
    this.#chaos.requests = 1 + this.#random.below(3);
    await this.#storm();
    await this.#quiet("after the second storm");
  }

  async #rest(): Promise<void> {
    this.#world.tell("the stack is at rest for long");
    this.#world.clock.advance(SETTLE_MS_MIN + 1);
    await this.#world.sweep();
    this.#chaos.requests = 1 + this.#restChoices.below(2);
    if (chance(this.#restChoices, 50)) await this.#requests();
    await this.#storm();
    await this.#quiet("after a rest");
  }

  #spec(): Spec {
    const make = this.#isNested ? nestedSpec : specsOf(this.#seed, this.#losesCreations);
    const plain = make(this.#random, this.#size, this.#types);
    if (this.#isNested) return this.#withGroup(plain);
    const spec = withExternalObjects(this.#seed, plain);
    return this.#hasHooks ? withHooksAndPolicies(this.#hookChoices, spec) : spec;
  }

  #check(holds: boolean, text: string): void {
    if (!holds) throw new Violation(text);
  }

  #look(): void {
    if (this.#world.failure !== null) throw this.#world.failure;
    this.#check(++this.#steps < STEPS_MAX, "S21: too many steps");
  }

  async #storm(): Promise<void> {
    const world = this.#world;
    const calmSteps = 60 + this.#random.below(500);
    for (let step = 0; step < calmSteps; step++) {
      await this.#anything();
      this.#look();
      const idle = world.workers.length === 0 && world.queue.pending.length === 0;
      if (idle && this.#chaos.requests <= 0) return;
    }
  }

  async #anything(): Promise<void> {
    const { jumps, requests, duplicates, losses } = this.#chaos;
    const [world, random] = [this.#world, this.#random];
    if (this.#hasHooks && chance(this.#hookChoices, 5)) await this.#clearHook();
    if (this.#losesCreations && chance(this.#hookChoices, 5))
      await answerForOne(this.#world, this.#hookChoices);
    if (await this.#restores?.strikes()) return;
    const die = random.below(100);
    if (die < 2 && requests > 0) return this.#requests();
    if (die < 4 && jumps > 0) return this.#jump(chance(random, 30) ? LEASE_JUMP_MS : 10_000);
    if (die < 5 && this.#sweeps) return this.#sweep();
    if (die < 8) return this.#signal(chance(random, 15));
    const pending = pick(random, world.deliverable());
    if (die < 10 && pending !== undefined && duplicates > 0) {
      this.#chaos.duplicates--;
      if (duplicates % 2 === 0) return world.copy(pending);
      return void (await world.deliver(pending, true));
    }
    if (die < 11 && pending !== undefined && losses > 0) {
      this.#chaos.losses--;
      world.tell("a message is lost");
      return world.drop(pending);
    }
    if (die < 12 && pending !== undefined && this.#chaos.poisons > 0) return this.#poison(pending);
    const worker = pick(random, world.workers);
    const mayDeliver = world.workers.length < WORKERS_MAX && die < 40;
    if (pending !== undefined && mayDeliver) return void (await world.deliver(pending));
    if (worker !== undefined) return this.#advance(worker);
    if (pending !== undefined) return void (await world.deliver(pending));
    return this.#nextMoment();
  }

  async #advance(worker: Worker): Promise<void> {
    const random = this.#random;
    const at = random.below(Math.max(worker.points.length, 1));
    const point = worker.points[at];
    if (point === undefined) return;
    const isVital = !this.#sweeps && worker.label.startsWith("user");
    if (this.#chaos.crashes > 0 && !isVital && chance(random, 4)) {
      this.#chaos.crashes--;
      return this.#world.crash(worker, chance(random, 50) ? "before" : "after");
    }
    if (this.#chaos.throttles > 0 && !isVital && chance(random, 3)) {
      this.#chaos.throttles--;
      return this.#world.throttle(worker, at);
    }
    if (
      this.#chaos.slowAnswers > 0 &&
      chance(random, 3) &&
      !/^(answer|fakeProvider)/.test(point.name)
    ) {
      this.#chaos.slowAnswers--;
      return this.#world.slowly(worker, at);
    }
    const mayFail = /^fakeProvider\.(create|update|delete)$/.test(point.name);
    if (mayFail && this.#chaos.failures > 0 && chance(random, 30)) {
      this.#chaos.failures--;
      this.#noteFailure();
      this.#world.tell(`the provider refuses ${point.name} in ${worker.label}`);
      this.#world.refuseNext = true;
      return this.#world.step(worker, at);
    }
    return this.#world.step(worker, at);
  }

  /** Sometimes two requests come at once, so that both may read the same state. */
  async #requests(): Promise<void> {
    await this.#request();
    if (this.#chaos.requests > 0 && chance(this.#random, 25)) await this.#request();
  }

  async #sweep(): Promise<void> {
    const world = this.#world;
    if (this.#chaos.staleReads > 0 && chance(this.#random, 30)) {
      this.#chaos.staleReads--;
      world.tell("the sweeper's list is going to be stale");
      world.staleNext = true;
    }
    await world.sweep(sweepOptions(this.#steps));
  }

  /** The dead letter of a duplicate must not fail a node that is done. */
  async #poison(pending: PendingMessage): Promise<void> {
    const world = this.#world;
    this.#chaos.poisons--;
    if (!isForDoneNode(world, pending)) this.#noteFailure();
    await world.deliver(pending, true, true);
  }

  #noteFailure(): void {
    this.#failedAt = this.#world.stack?.traversalNumber ?? 0;
  }

  async #request(): Promise<void> {
    this.#chaos.requests--;
    const world = this.#world;
    if (this.#isNested && chance(this.#random, 25)) return this.#meddle();
    if (await signalSomePolicy(world, this.#random)) return;
    const early = earlyDelete(this.#seed, this.#random);
    if (early !== null) return void (await world.act(early));
    const die = this.#random.below(100);
    if (die < 60) await this.#update(world, () => this.#spec());
    else if (die < 70) await world.act("ROLLBACK");
    else if (die < 77) await world.cancel();
    else if (die < 85) await world.act("SUSPEND");
    else if (die < 90) await world.act("RESUME");
    else if (die < 95) await world.act(chance(this.#hookChoices, 50) ? "CHECK" : "SNAPSHOT");
    else await world.act("DELETE");
  }

  /**
   * Suspending is left out: a suspended nested stack refuses its owner's updates until it is
   * resumed.
   */
  async #meddle(): Promise<void> {
    const stack = pick(this.#random, this.#world.nestedCheckers.nested);
    if (stack === undefined) return;
    const die = this.#random.below(100);
    if (die < 40) await this.#world.act("DELETE", undefined, stack.id);
    else if (die < 90) {
      const spec = specsOf(this.#seed)(this.#random, 2, this.#types);
      await this.#world.act("UPDATE", spec, stack.id);
    } else await this.#world.act("CHECK", undefined, stack.id);
  }

  async #signal(fails: boolean): Promise<void> {
    const waiting = this.#world.allRows.filter((row) => isWaitingType(row.operation?.type));
    const row = pick(this.#random, waiting);
    if (row === undefined) return;
    if (fails && this.#chaos.failures <= 0) return;
    if (fails) {
      this.#chaos.failures--;
      this.#noteFailure();
    }
    await this.#world.signal(row, fails ? "FAILED" : "COMPLETE");
  }

  async #clearHook(): Promise<void> {
    const waiting = this.#world.rows.filter((row) => row.pause?.cleared === false);
    const row = pick(this.#hookChoices, waiting);
    if (row !== undefined) await clearHook(this.#world, row);
  }

  /**
   * The protocol assumes that a provider call ends within its limit. So a call is made before a
   * long jump.
   */
  async #jump(ms: number): Promise<void> {
    this.#chaos.jumps--;
    const world = this.#world;
    if (ms > 30_000) {
      for (const worker of [...world.workers]) {
        const calling = worker.points.findIndex((point) => point.name.startsWith("fakeProvider."));
        if (calling >= 0) await world.step(worker, calling);
      }
    }
    world.tell(`the clock jumps ${ms / 1_000} s`);
    world.clock.advance(ms);
    if (!this.#hasHooks) world.store.purgeExpired(world.clock.now());
    this.#noteDeadline();
    if (chance(this.#random, 25)) await purge(world);
  }

  #noteDeadline(): void {
    const { stack, clock } = this.#world;
    if (stack !== null && stack.deadline <= clock.now()) this.#noteFailure();
  }

  async #nextMoment(): Promise<void> {
    const { queue, clock } = this.#world;
    const next = Math.min(...queue.pending.map((one) => one.deliverAt));
    if (Number.isFinite(next) && next > clock.now()) clock.advance(next - clock.now());
    this.#noteDeadline();
  }

  async #quiet(when: string, agentsLive = true): Promise<void> {
    const world = this.#world;
    world.tell(`quiet ${when}`);
    for (let round = 0; round < QUIET_ROUNDS_MAX; round++) {
      await drain(this.#world, this.#random, () => this.#look());
      for (const row of agentsLive ? world.allRows : []) {
        if (isWaitingType(row.operation?.type)) await world.signal(row, "COMPLETE");
      }
      for (const row of world.rows) {
        if (row.pause?.cleared === false) await clearHook(world, row);
      }
      await drain(this.#world, this.#random, () => this.#look());
      await this.#nextMoment();
      // The owner of a nested stack polls all the time, so the queue is never empty.
      if (this.#isNested && this.#sweeps) await this.#sweepInTime();
      if (world.queue.pending.length > 0 || isAwaited(world)) continue;
      if (isAtRest(world) && (await answerForOne(world, this.#hookChoices))) continue;
      if (isAtRest(world) || !this.#sweeps) break;
      world.clock.advance(SWEEP_MS);
      this.#noteDeadline();
      await world.sweep();
    }
    const failedAt = Math.max(this.#failedAt, this.#restores?.failedAt ?? -1);
    if (world.stack !== null) checkQuiet(world, world.stack, isGood(world, failedAt));
  }

  async #sweepInTime(): Promise<void> {
    if (this.#world.clock.now() < this.#sweptAt + SWEEP_MS) return;
    this.#sweptAt = this.#world.clock.now();
    await this.#world.sweep();
  }

  #sweptAt = 0;
}
