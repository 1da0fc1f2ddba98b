/**
 * The platform of the fault storm. Messages come in any order and workers interleave at every port
 * call. The checks look only at what changed, because the stack is large.
 */
import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryCipher, memoryIds, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Message, Queue } from "#lib/ports/queue.ts";
import type { Store } from "#lib/ports/store.ts";
import { withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { dependenciesOf, type Spec } from "../world/spec.ts";
import { simulatedTypes } from "../world/types.ts";
import { Violation } from "../world/violation.ts";
import { parked } from "../world/workers.ts";

export interface Delivery {
  readonly message: Message;
  readonly deliverAt: number;
  readonly isRepeated: boolean;
}

/** A page is this small so that other workers write between two pages. */
const ROWS_IN_PAGE = 16;

export class StormWorld {
  readonly clock = memoryClock();
  readonly store = memoryStore(ROWS_IN_PAGE);
  readonly provider = memoryFakeProvider(this.clock);
  readonly ports: Ports;
  onSend: (message: Message, deliverAt: number) => void = () => undefined;
  onClaim: () => void = () => undefined;
  readonly #spec: Spec;
  /** By name, the traversal that put the resource in service. */
  readonly #served = new Map<string, string>();
  readonly #effects = new Map<string, number>();
  failure: Error | null = null;

  constructor(seed: number, spec: Spec) {
    this.#spec = spec;
    const provider = parked("fakeProvider", this.provider);
    const ports = {
      store: parked("store", this.#observed()),
      softwareConfigs: memorySoftwareConfigStore(),
      queue: parked("queue", this.#queue()),
      blobs: parked("blobs", memoryBlobs()),
      clock: this.clock,
      ids: memoryIds(seed),
      signer: memorySigner(),
      cipher: memoryCipher(),
      uploads: memoryUploads(),
      publicUrl: "http://simulated",
      retention: retentionOf(),
    };
    this.ports = withResourceTypes(ports, (engine) =>
      simulatedTypes({ engine, provider, blobs: engine.blobs }),
    );
  }

  #queue(): Queue {
    return {
      send: async (_, messages, delayMs = 0) => {
        for (const message of messages) this.onSend(message, this.clock.now() + delayMs);
      },
      depths: async () => [],
    };
  }

  #observed(): Store {
    const { store } = this;
    return {
      ...store,
      writeResource: async (key, when, change) => {
        const before = store.row(key.stackId, key.id);
        const write = await store.writeResource(key, when, change);
        if (write.written) this.#written(before, write.row);
        return write;
      },
    };
  }

  #written(before: Resource | null, after: Resource): void {
    if (after.lease !== null && after.lease.token !== before?.lease?.token) this.onClaim();
    if (after.updateDone !== null) this.#served.set(after.name, after.updateDone);
    const { operation } = after;
    if (operation === null || operation.generation === before?.operation?.generation) return;
    if (operation.action !== "CREATE") this.#fail(`S3: ${operation.action} of ${after.name}`);
    const spec = this.#spec[after.name];
    for (const name of spec === undefined ? [] : dependenciesOf(spec)) {
      if (this.#served.get(name) === operation.traversalId) continue;
      this.#fail(`S6: ${after.name} began before ${name} was done`);
    }
  }

  #fail(text: string): void {
    this.failure ??= new Violation(text);
  }

  checkEffects(): void {
    const rows = new Map<string, number>();
    for (const { token, effect } of this.provider.calls()) {
      if (!effect) continue;
      const [rowId = ""] = token.split("/");
      this.#effects.set(token, (this.#effects.get(token) ?? 0) + 1);
      rows.set(rowId, (rows.get(rowId) ?? 0) + 1);
    }
    for (const [token, times] of this.#effects)
      if (times !== 1) this.#fail(`S2: ${times} effects of ${token}`);
    for (const [rowId, times] of rows)
      if (times !== 1) this.#fail(`S2: ${times} effects on ${rowId}`);
    const names = Object.keys(this.#spec).length;
    if (rows.size !== names) this.#fail(`L2: ${rows.size} rows of ${names} had their effect`);
    const objects = this.provider.objects().length;
    if (objects !== names) this.#fail(`L2: ${objects} objects of ${names}`);
  }
}
