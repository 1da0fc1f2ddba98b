/**
 * Takes Lambda's place. A prepare gets the time of its function: by the model, a request takes one
 * millisecond of it. That is the processor's share of the SDK, and more than 10 ms for each of 25
 * at a time.
 */
import { checkResource } from "#lib/convergence/converger.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { prepareTraversal } from "#lib/convergence/prepare.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { RECEIVES_MAX } from "#lib/ports/queue.ts";
import { LATENCY_MS } from "../cost/prices.ts";
import type { Batch, Receiver } from "../cost/receiver.ts";
import type { DelayedSends, VirtualClock } from "../cost/virtual-time.ts";
import type { WatchedCalls } from "./watched-calls.ts";

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
  /** Of the longest prepare, by the model. */
  readonly prepareMs: number;
  /** Processor time of this machine in the longest prepare. It includes that of the services. */
  readonly prepareCpuMs: number;
}

const NO_WORK: Work = { visits: 0, prepares: 0, prepareMs: 0, prepareCpuMs: 0 };
const MICROSECONDS_PER_MS = 1_000;

export class Platform {
  readonly #machines: Machines;
  #open: Batch[] = [];
  #work: Work = NO_WORK;

  constructor(machines: Machines) {
    this.#machines = machines;
  }

  /** Until the queues are empty, or so many visits were made. What is left then, comes next. */
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
    await Promise.all(batch.messages.map(({ Body = "" }) => this.#deliverUntilDone(Body)));
    await this.#machines.receiver.remove(batch);
  }

  /** A busy emulator refuses a call now and then. */
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
    const { user, system } = process.cpuUsage(cpu);
    this.#work = {
      ...this.#work,
      prepares: prepares + 1,
      prepareMs: Math.max(prepareMs, usedMs()),
      prepareCpuMs: Math.max(prepareCpuMs, (user + system) / MICROSECONDS_PER_MS),
    };
  }
}
