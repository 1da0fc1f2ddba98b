/**
 * One run of the real engine on recorded answers. A suspended async function can be neither copied
 * nor compared. But the engine is deterministic: its start and the answers of its ports determine
 * its next call. So a worker is a pair (start, answers), and a replay rebuilds it.
 */
import { setImmediate as drained } from "node:timers/promises";
import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue } from "#lib/adapters/memory/queue.ts";
import { memoryCipher, memoryIds, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import { withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { simulatedTypes } from "../simulation/world/types.ts";
import { type Request, requestOf } from "./requests.ts";

export type MemoryBlobs = ReturnType<typeof memoryBlobs>;

export interface Call {
  readonly no: number;
  readonly request: Request;
}

/**
 * The result of a call: a value, or an error to throw. `now` is the time when the engine continues.
 */
export interface Answer {
  readonly no: number;
  readonly now: number;
  readonly result: { readonly value: unknown } | { readonly error: Error };
}

export interface Ended {
  readonly error: unknown;
  readonly result: unknown;
}

/** The start of a worker. Equal keys mean equal stories. */
export interface Start {
  readonly key: string;
  /** The prefix of every fresh id of this worker. No other living worker and no record has it. */
  readonly label: string;
  readonly now: number;
  readonly life: number;
  readonly message: Message | null;
  readonly story: (ports: Ports) => Promise<unknown>;
}

interface Waiting {
  readonly call: Call;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

// The stand-ins are never called. They only give the recording ports their method names and types.
const standInClock = memoryClock();
const standIns = {
  store: memoryStore(),
  queue: memoryQueue(standInClock),
  blobs: memoryBlobs(),
  fakeProvider: memoryFakeProvider(standInClock),
};
const derive = memoryIds(0).derive;
const pure = {
  softwareConfigs: memorySoftwareConfigStore(),
  uploads: memoryUploads(),
  signer: memorySigner(),
  cipher: memoryCipher(),
};

export class EngineRun {
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #fresh = 0;
  #now: number;
  ended: Ended | null = null;

  private constructor(start: Start, templates: MemoryBlobs) {
    this.#now = start.now;
    const provider = this.#recording("fakeProvider", standIns.fakeProvider);
    const unbound: Omit<Ports, "resourceTypes"> = {
      ...pure,
      store: this.#recording("store", standIns.store),
      queue: this.#recording("queue", standIns.queue),
      // The records of requests are immutable and stored from the start, so reading one is no step.
      blobs: {
        ...this.#recording("blobs", standIns.blobs),
        get: (key) =>
          templates.has(key)
            ? templates.get(key)
            : this.#recording("blobs", standIns.blobs).get(key),
      },
      clock: { now: () => this.#now },
      ids: { fresh: () => `${start.label}.${this.#fresh++}`, derive },
      publicUrl: "http://simulated",
      retention: retentionOf(),
      life: start.life,
    };
    const ports = withResourceTypes(unbound, (engine) =>
      simulatedTypes({ engine, provider, blobs: engine.blobs }),
    );
    start.story(ports).then(
      (result) => {
        this.ended = { error: null, result };
      },
      (error: unknown) => {
        this.ended = { error: error ?? new Error("rejected"), result: null };
      },
    );
  }

  static async of(
    start: Start,
    templates: MemoryBlobs,
    answers: readonly Answer[],
  ): Promise<EngineRun> {
    const run = new EngineRun(start, templates);
    await drained();
    for (const answer of answers) await run.answer(answer);
    return run;
  }

  #recording<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get:
        (_, method) =>
        (...parameters: unknown[]): Promise<unknown> =>
          new Promise((resolve, reject) => {
            const request = requestOf(`${name}.${String(method)}`, parameters);
            const call = { no: this.#calls++, request };
            this.#waiting.set(call.no, { call, resolve, reject });
          }),
    });
  }

  get pending(): readonly Call[] {
    return [...this.#waiting.values()].map(({ call }) => call);
  }

  /** When this resolves, the run waits at its next calls or has ended. */
  async answer({ no, now, result }: Answer): Promise<void> {
    const waiting = this.#waiting.get(no);
    if (waiting === undefined) throw new Error(`call ${no} does not wait`);
    this.#waiting.delete(no);
    this.#now = now;
    if ("error" in result) waiting.reject(result.error);
    else waiting.resolve(result.value);
    await drained();
  }
}
