/**
 * The fault storm creates one large stack. Every message comes up to ten times, in any order. One
 * in a hundred is lost, one visit in ten dies, and one port call in twenty is throttled. `node
 * test/simulation/random/storm.ts [--resources 10000] [--seed 1]` prints the cost.
 */
import { parseArgs } from "node:util";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import { type ResourceSpec, type Spec, templateOf } from "../world/spec.ts";
import { Violation } from "../world/violation.ts";
import { kill, letGo, startWorker, type Worker } from "../world/workers.ts";
import { type Delivery, StormWorld } from "./storm-world.ts";

export interface StormOptions {
  readonly resources: number;
  readonly seed: number;
}

export interface StormReport {
  readonly nodes: number;
  readonly sent: number;
  readonly sentToOwn: number;
  readonly sentBySweeper: number;
  /** The most messages that the visits of one node sent to that node. */
  readonly ownChainMax: number;
  readonly sentToOneMax: number;
  readonly sentToLayer: readonly number[];
  readonly copies: number;
  readonly lost: number;
  readonly deliveries: number;
  readonly crashes: number;
  readonly throttles: number;
  readonly leasesLost: number;
  readonly claims: number;
  readonly sweeps: number;
  readonly portCalls: number;
  readonly stackState: string;
  readonly failure: string | null;
}

const TENANT = "demo";
const STACK_ID = "stack-1";
const LAYERS = 10;
export const DEPENDS_ON = 3;
const COPIES_MAX = 10;
const LOSS_PERCENT = 1;
const CRASH_PERCENT = 10;
const THROTTLE_PERCENT = 5;
const WORKERS_MAX = 40;
/** A visit makes about this many port calls. A shorter visit dies before its acknowledgement. */
const CRASH_CALL_MAX = 12;
const VISIBILITY_MS = 360_000;
const SWEEP_MS = 60_000;
const SWEEPS_MAX = 2_000;
const OWN_MESSAGES_A_CLAIM_MAX = 3;
const THROTTLED = new RetryLater("throttled");

const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

export const gridOf = (resources: number): Spec => {
  const width = Math.max(Math.floor((resources - 1) / LAYERS), DEPENDS_ON);
  const spec: Record<string, ResourceSpec> = {};
  const nameOf = (layer: number, at: number): string => `r${layer}x${at % width}`;
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let at = 0; at < width; at++) {
      const refers =
        layer === 0 ? [] : [at, at + 1, at + 7].map((other) => nameOf(layer - 1, other));
      spec[nameOf(layer, at)] = {
        properties: { v: "1" },
        refers: Object.fromEntries(refers.map((name) => [`to_${name}`, name])),
      };
    }
  }
  const lastLayer = Array.from({ length: width }, (_, at) => nameOf(LAYERS - 1, at));
  return { ...spec, all: { properties: { v: "1" }, after: lastLayer } };
};

interface Fate {
  readonly delivery: Delivery | null;
  crashIn: number;
  claimed: boolean;
}

const targetOf = (message: Message): string =>
  message.type === "prepare_traversal" ? message.type : message.resourceId;

/** @returns the bound that is broken. The bounds hold for storms of any size. */
export const brokenBound = (report: StormReport): string | null => {
  const { claims, nodes, leasesLost, copies, crashes, deliveries, sentToOwn } = report;
  if (report.failure !== null) return report.failure;
  if (claims > nodes + leasesLost) return `S21: ${claims} claims of ${nodes} nodes`;
  if (deliveries > 2 * (copies + crashes)) return `S21: ${deliveries} deliveries`;
  // An operation without a worker stays busy for a lease, which is two minutes of the sweeper's
  // clock and therefore three waits.
  return sentToOwn > OWN_MESSAGES_A_CLAIM_MAX * claims
    ? `S21: ${sentToOwn} messages of nodes to themselves`
    : null;
};

class Storm {
  readonly #world: StormWorld;
  readonly #random: Random;
  readonly #spec: Spec;
  readonly #due: Delivery[] = [];
  #later: Delivery[] = [];
  readonly #workers: Worker[] = [];
  readonly #fates = new Map<Worker, Fate>();
  readonly #sentTo = new Map<string, number>();
  #acting: Worker | null = null;
  readonly #ownChain = new Map<string, number>();
  readonly #count = {
    sent: 0,
    sentToOwn: 0,
    sentBySweeper: 0,
    copies: 0,
    lost: 0,
    deliveries: 0,
    crashes: 0,
    throttles: 0,
  };
  readonly #effort = { leasesLost: 0, claims: 0, sweeps: 0, portCalls: 0 };

  constructor({ resources, seed }: StormOptions) {
    this.#spec = gridOf(resources);
    this.#random = memoryRandom(seed * 7_919 + 3);
    this.#world = new StormWorld(seed, this.#spec);
    this.#world.onSend = (message, deliverAt) => this.#sent(message, deliverAt);
    this.#world.onClaim = () => {
      this.#effort.claims++;
      const fate = this.#acting === null ? undefined : this.#fates.get(this.#acting);
      if (fate !== undefined) fate.claimed = true;
    };
  }

  async run(): Promise<StormReport> {
    let failure: string | null = null;
    try {
      await this.#create();
      await this.#converge();
      this.#world.checkEffects();
      if (this.#world.failure !== null) throw this.#world.failure;
    } catch (error) {
      failure = error instanceof Violation ? error.message : String(error);
    }
    const stack = await this.#world.store.getStack(TENANT, STACK_ID);
    return {
      nodes: Object.keys(this.#spec).length,
      ...this.#count,
      ...this.#effort,
      ownChainMax: Math.max(0, ...this.#ownChain.values()),
      sentToOneMax: Math.max(...this.#sentTo.values()),
      sentToLayer: this.#sentToLayer(),
      stackState: `${stack?.action}_${stack?.status}`,
      failure,
    };
  }

  async #create(): Promise<void> {
    const { ports } = this.#world;
    await saveTemplate(ports, TENANT, STACK_ID, "template-1", templateOf(this.#spec));
    await createFirstTraversal(ports, {
      tenant: TENANT,
      id: STACK_ID,
      name: "storm",
      description: "",
      templateId: "template-1",
      timeoutMins: 10_000,
      disableRollback: true,
      tags: [],
    });
  }

  #sent(message: Message, deliverAt: number): void {
    this.#count.sent++;
    const to = targetOf(message);
    this.#sentTo.set(to, (this.#sentTo.get(to) ?? 0) + 1);
    this.#noteCause(to);
    if (chance(this.#random, LOSS_PERCENT)) {
      this.#count.lost++;
      return;
    }
    const copies = 1 + this.#random.below(COPIES_MAX);
    this.#count.copies += copies;
    for (let copy = 0; copy < copies; copy++) {
      this.#put({ message, deliverAt, isRepeated: false });
    }
  }

  #sentToLayer(): readonly number[] {
    const rows = this.#world.store.rowsOf(STACK_ID);
    return Array.from({ length: LAYERS }, (_, layer) => {
      const counts = rows
        .filter((row) => row.name.startsWith(`r${layer}x`))
        .map((row) => this.#sentTo.get(row.id) ?? 0);
      const sum = counts.reduce((total, count) => total + count, 0);
      return Math.round((10 * sum) / counts.length) / 10;
    });
  }

  #noteCause(to: string): void {
    const sender = this.#acting === null ? undefined : this.#fates.get(this.#acting);
    if (sender?.delivery === null) this.#count.sentBySweeper++;
    if (sender?.delivery == null || targetOf(sender.delivery.message) !== to) return;
    this.#count.sentToOwn++;
    this.#ownChain.set(to, (this.#ownChain.get(to) ?? 0) + 1);
  }

  #put(delivery: Delivery): void {
    if (delivery.deliverAt <= this.#world.clock.now()) this.#due.push(delivery);
    else this.#later.push(delivery);
  }

  #takeAny(): Delivery | undefined {
    const at = this.#random.below(this.#due.length);
    const taken = this.#due[at];
    const last = this.#due.pop();
    if (taken !== undefined && last !== undefined && taken !== last) this.#due[at] = last;
    return taken;
  }

  async #converge(): Promise<void> {
    while (this.#effort.sweeps < SWEEPS_MAX) {
      await this.#drain();
      if (await this.#isOver()) return;
      await this.#timePasses();
    }
    throw new Violation("L1: it does not converge");
  }

  async #isOver(): Promise<boolean> {
    const stack = await this.#world.store.getStack(TENANT, STACK_ID);
    if (stack?.status === "IN_PROGRESS" || this.#later.length > 0) return false;
    if (stack?.status !== "COMPLETE") throw new Violation(`L2: ${stack?.statusReason}`);
    return true;
  }

  async #timePasses(): Promise<void> {
    const { clock } = this.#world;
    clock.advance(SWEEP_MS);
    const later = this.#later;
    this.#later = [];
    for (const delivery of later) this.#put(delivery);
    this.#effort.sweeps++;
    await this.#start(null, "sweeper", () => sweep(this.#world.ports));
  }

  async #drain(): Promise<void> {
    for (;;) {
      while (this.#due.length > 0 && this.#workers.length < WORKERS_MAX) await this.#deliver();
      const worker = this.#workers[this.#random.below(this.#workers.length)];
      if (worker === undefined) return;
      await this.#step(worker);
      if (this.#world.failure !== null) throw this.#world.failure;
    }
  }

  async #deliver(): Promise<void> {
    const delivery = this.#takeAny();
    if (delivery === undefined) return;
    const { ports } = this.#world;
    const { message, isRepeated } = delivery;
    this.#count.deliveries++;
    await this.#start(delivery, "visit", () =>
      message.type === "prepare_traversal"
        ? prepareTraversal(ports, message)
        : checkResource(ports, message, { remainingMs: () => 0, isRepeated }),
    );
  }

  async #start(
    delivery: Delivery | null,
    label: string,
    story: () => Promise<unknown>,
  ): Promise<void> {
    const crashes = delivery !== null && chance(this.#random, CRASH_PERCENT);
    const crashIn = crashes ? this.#random.below(CRASH_CALL_MAX) : -1;
    const fate: Fate = { delivery, crashIn, claimed: false };
    const worker = await startWorker(label, this.#world.clock.now(), story, (error) => {
      if (error !== null && !(error instanceof RetryLater)) {
        this.#world.failure ??= error instanceof Error ? error : new Error(String(error));
      }
      if (error !== null) this.#interrupted(fate);
      else if (fate.crashIn >= 0) this.#crashed(fate);
    });
    if (worker.finished) return;
    this.#fates.set(worker, fate);
    this.#workers.push(worker);
  }

  #crashed(fate: Fate): void {
    this.#count.crashes++;
    this.#interrupted(fate);
  }

  #interrupted({ delivery, claimed }: Fate): void {
    if (claimed) this.#effort.leasesLost++;
    if (delivery === null) return;
    const deliverAt = this.#world.clock.now() + VISIBILITY_MS;
    this.#put({ ...delivery, deliverAt, isRepeated: true });
  }

  async #step(worker: Worker): Promise<void> {
    const point = worker.points[this.#random.below(worker.points.length)];
    const fate = this.#fates.get(worker);
    if (point === undefined || fate === undefined) throw new Violation("a worker hangs");
    this.#effort.portCalls++;
    this.#acting = worker;
    if (fate.crashIn === 0) {
      if (chance(this.#random, 50)) await letGo(worker, () => point.applyThenVanish());
      kill(worker);
      this.#crashed(fate);
    } else if (chance(this.#random, THROTTLE_PERCENT)) {
      this.#count.throttles++;
      await letGo(worker, () => point.fail(THROTTLED));
    } else await letGo(worker, () => point.go());
    this.#acting = null;
    fate.crashIn--;
    if (worker.finished || worker.dead) this.#leave(worker);
  }

  #leave(worker: Worker): void {
    const at = this.#workers.indexOf(worker);
    const last = this.#workers.pop();
    if (last !== undefined && last !== worker) this.#workers[at] = last;
    this.#fates.delete(worker);
  }
}

export const storm = (options: StormOptions): Promise<StormReport> => new Storm(options).run();

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      resources: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
    },
  });
  const report = await storm({ resources: Number(values.resources), seed: Number(values.seed) });
  const { user, system } = process.cpuUsage();
  console.log(report, `${((user + system) / 1e6).toFixed(1)} s CPU`);
  process.exitCode = report.failure === null ? 0 : 1;
}
