/**
 * A whole engine in memory, with its REST interface, whose workers are killed at random calls. A
 * killed worker makes no further call, and its message is delivered again. Messages come in any
 * order, and some of them twice.
 */
import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue, type PendingMessage } from "#lib/adapters/memory/queue.ts";
import {
  memoryCipher,
  memoryIds,
  memoryRandom,
  memorySigner,
} from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { route } from "#lib/api/route.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { present, RetryLater } from "#lib/errors.ts";
import { type Json, parseJson } from "#lib/json.ts";
import type { Ports, Random } from "#lib/ports/ports.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";

const REDELIVERED_MS = 95_000;
const RETRIED_MS = 5_000;
const KILLED_PERCENT = 3;
const DOUBLED_PERCENT = 3;
const CALLS_MAX = 25;
const STEPS_MAX = 20_000;

class Killed extends Error {}

class Executioner {
  #callsLeft = Number.POSITIVE_INFINITY;

  arm(calls: number): void {
    this.#callsLeft = calls;
  }

  /** After the last call the worker is dead, whatever catches this error. */
  call(): void {
    if (this.#callsLeft <= 0) throw new Killed("the worker was killed");
    this.#callsLeft -= 1;
  }
}

const killable = <Port extends object>(port: Port, executioner: Executioner): Port =>
  new Proxy(port, {
    get: (target, key): unknown => {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        executioner.call();
        const answer: unknown = await Reflect.apply(method, target, given);
        executioner.call();
        return answer;
      };
    },
  });

export class LifeWorld {
  readonly store = memoryStore();
  readonly clock = memoryClock();
  readonly provider = memoryFakeProvider(this.clock);
  readonly #queue = memoryQueue(this.clock);
  readonly #executioner = new Executioner();
  readonly #random: Random;
  readonly #ports: Ports;

  constructor(seed: number) {
    this.#random = memoryRandom(seed);
    const unbound: Omit<Ports, "resourceTypes"> = {
      store: killable(this.store, this.#executioner),
      softwareConfigs: memorySoftwareConfigStore(),
      queue: killable(this.#queue, this.#executioner),
      blobs: memoryBlobs(),
      uploads: memoryUploads(),
      clock: this.clock,
      ids: memoryIds(seed),
      signer: memorySigner(),
      cipher: memoryCipher(),
      publicUrl: "http://hearth.test",
      retention: retentionOf(),
    };
    const fakeProvider = killable(this.provider, this.#executioner);
    this.#ports = withResourceTypes(unbound, (engine) =>
      resourceTypes({ engine, random: memoryRandom(seed), fakeProvider }),
    );
  }

  below(count: number): number {
    return this.#random.below(count);
  }

  chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  async send(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
    const request = {
      method,
      path: `/v1/demo${path}`,
      query: {},
      body: body === undefined ? null : JSON.stringify(body),
    };
    const unexpected: unknown[] = [];
    const { status, body: text } = await route(
      this.#ports,
      { revision: "lives" },
      request,
      (error) => unexpected.push(error),
    );
    for (const error of unexpected) throw error;
    return { status, body: text === null ? null : parseJson(text) };
  }

  /**
   * Delivers messages until `isOver`, or until none is left. `look` checks the world in between.
   */
  async run(look: () => Promise<void>, isOver: () => boolean = () => false): Promise<void> {
    for (let steps = 0; !isOver(); steps++) {
      if (steps > STEPS_MAX) throw new Error("L1: the stack never comes to rest");
      const next = this.#next();
      if (next === undefined) return;
      await this.#deliver(next);
      await look();
    }
  }

  #next(): PendingMessage | undefined {
    const { pending } = this.#queue;
    const now = this.clock.now();
    const due = pending.filter(({ deliverAt }) => deliverAt <= now);
    const [first] = pending.toSorted((one, other) => one.deliverAt - other.deliverAt);
    return due.length === 0 ? first : due[this.below(due.length)];
  }

  async #deliver(next: PendingMessage): Promise<void> {
    const { pending } = this.#queue;
    this.clock.advance(Math.max(0, next.deliverAt - this.clock.now()));
    const isDoubled = this.chance(DOUBLED_PERCENT);
    if (!isDoubled) pending.splice(pending.indexOf(next), 1);
    this.#executioner.arm(
      this.chance(KILLED_PERCENT) ? this.below(CALLS_MAX) : Number.POSITIVE_INFINITY,
    );
    try {
      await this.#visit(next);
    } catch (error) {
      if (!(error instanceof Killed || error instanceof RetryLater)) throw error;
      const delay = error instanceof Killed ? REDELIVERED_MS : RETRIED_MS;
      if (!isDoubled) pending.push({ ...next, deliverAt: this.clock.now() + delay });
    } finally {
      this.#executioner.arm(Number.POSITIVE_INFINITY);
    }
    if (isDoubled) this.#once(next);
  }

  #once(next: PendingMessage): void {
    const { pending } = this.#queue;
    const at = pending.indexOf(
      present(
        pending.find(({ id }) => id === next.id),
        "a message",
      ),
    );
    pending.splice(at, 1, { ...next, deliverAt: this.clock.now() + this.below(REDELIVERED_MS) });
  }

  async #visit({ message }: PendingMessage): Promise<void> {
    if (message.type === "prepare_traversal") await prepareTraversal(this.#ports, message);
    else await checkResource(this.#ports, message, { remainingMs: () => 60_000 });
  }
}
