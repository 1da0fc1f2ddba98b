/**
 * Replaces Lambda. A prepare gets the time of its function, where each request counts as one
 * millisecond. That covers the processor time of the SDK, and more than the 10 ms that 25
 * concurrent requests take. Between batches the clock advances as fast as the stack's own partition
 * allows visits.
 */
import { checkResource } from "#lib/convergence/converger.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { RECEIVES_MAX } from "#lib/ports/queue.ts";
import { LATENCY_MS } from "../cost/prices.ts";
import type { Batch, Receiver } from "../cost/receiver.ts";
import type { DelayedSends, VirtualClock } from "../cost/virtual-time.ts";
import { PARTITION_READ_UNITS, type WatchedCalls } from "./watched-calls.ts";

const REQUEST_MS = 1;
const SECOND_MS = 1_000;

export interface Machines {
  readonly ports: Ports;
  readonly calls: WatchedCalls;
  readonly receiver: Receiver;
  readonly delayed: DelayedSends;
  readonly clock: VirtualClock;
}

export interface Work {
  readonly visits: number;
  readonly prepares: number;
  readonly prepareMs: number;
  /** The processor time of the longest prepare on this machine, including the emulated services. */
  readonly prepareCpuMs: number;
  readonly batchCpuMs: number;
}

const NO_WORK: Work = { visits: 0, prepares: 0, prepareMs: 0, prepareCpuMs: 0, batchCpuMs: 0 };
const MICROSECONDS_PER_MS = 1_000;
/** Each visit reads the stack, which is one item of one unit. */
const VISITS_PER_MS = PARTITION_READ_UNITS / SECOND_MS;

const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS_PER_MS;
};

export class Platform {
  readonly #machines: Machines;
  #open: Batch[] = [];
  #work: Work = NO_WORK;
  #untimed = 0;

  constructor(machines: Machines) {
    this.#machines = machines;
  }

  /** Stops when the queues are empty, or after so many visits. The next run continues. */
  async run(visitsMax = Number.POSITIVE_INFINITY): Promise<Work> {
    this.#work = NO_WORK;
    const { receiver, delayed, clock } = this.#machines;
    while (this.#work.visits < visitsMax) {
      if (this.#open.length === 0) {
        clock.advance(LATENCY_MS.queue);
        this.#open = [...(await receiver.receiveAll())];
      }
      const batch = this.#open.shift();
      if (batch !== undefined) await this.#handle(batch);
      else if (!(await delayed.release(SECOND_MS))) break;
    }
    return this.#work;
  }

  async #handle(batch: Batch): Promise<void> {
    const { visits } = this.#work;
    const cpu = process.cpuUsage();
    await Promise.all(batch.messages.map(({ Body = "" }) => this.#deliverUntilDone(Body)));
    await this.#machines.receiver.remove(batch);
    if (batch.queue === "prepare") return;
    const batchCpuMs = Math.max(this.#work.batchCpuMs, cpuMsSince(cpu));
    this.#work = { ...this.#work, batchCpuMs };
    this.#goOn(this.#work.visits - visits);
  }

  /** Otherwise all rows of a phase would have the same time and a large graph no order. */
  #goOn(visits: number): void {
    this.#untimed += visits;
    const ms = Math.floor(this.#untimed / VISITS_PER_MS);
    this.#untimed -= ms * VISITS_PER_MS;
    this.#machines.clock.advance(ms);
  }

  /** A busy emulator sometimes rejects a call. */
  async #deliverUntilDone(body: string): Promise<void> {
    for (let receives = 1; ; receives++) {
      try {
        await this.#deliver(body);
        return;
      } catch (error) {
        if (!(error instanceof RetryLater) || receives === RECEIVES_MAX) throw error;
      }
    }
  }

  async #deliver(body: string): Promise<void> {
    const { ports, calls } = this.#machines;
    const message = parseMessage(body);
    if (message.type !== "prepare_traversal") {
      const visited = (): void => {
        this.#work = { ...this.#work, visits: this.#work.visits + 1 };
      };
      await checkResource(ports, message, { remainingMs: () => VISIT_MS_MAX, visited });
      return;
    }
    const cpu = process.cpuUsage();
    const before = calls.requests();
    const usedMs = (): number => (calls.requests() - before) * REQUEST_MS;
    await prepareTraversal(ports, message, { remainingMs: () => VISIT_MS_MAX - usedMs() });
    const { prepares, prepareMs, prepareCpuMs } = this.#work;
    this.#work = {
      ...this.#work,
      prepares: prepares + 1,
      prepareMs: Math.max(prepareMs, usedMs()),
      prepareCpuMs: Math.max(prepareCpuMs, cpuMsSince(cpu)),
    };
  }
}
