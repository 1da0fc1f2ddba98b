/** Binds the embedded adapters into the ports that the handlers are given. */
import { type MemoryClock, memoryClock } from "#lib/adapters/memory/clock.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, systemClock, uuidIds } from "#lib/adapters/node/platform.ts";
import { hmacSigner } from "#lib/adapters/node/signer.ts";
import {
  openSqliteFakeProvider,
  type SqliteFakeProvider,
} from "#lib/adapters/sqlite/fake-provider.ts";
import { loadOrCreateKeys } from "#lib/adapters/sqlite/keys.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Store } from "#lib/ports/store.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import manifest from "../package.json" with { type: "json" };
import { type FaultyFakeProvider, withFaults } from "./fake-provider-faults.ts";
import { hostUploads } from "./uploads.ts";

export type HostPortOptions = Pick<Ports, "templateBytesMax">;
type GivenOptions = HostPortOptions & Pick<Ports, "showsEveryVisit">;

export interface HostPorts {
  readonly ports: Ports;
  readonly database: SqliteAdapter;
  close(): void;
}

/** The ports and what step mode controls besides them. */
export interface StepPorts extends HostPorts {
  /**
   * Stands still, and jumps to the next due time. So nothing depends on how long somebody waits.
   */
  readonly clock: MemoryClock;
  readonly faults: FaultyFakeProvider;
  readonly fakeProvider: SqliteFakeProvider;
}

/** `place` is the data folder, or ":memory:". */
export const bindHostPorts = (
  place: string,
  publicUrl: string,
  options: HostPortOptions = {},
): HostPorts => {
  const clock = systemClock();
  const fakeProvider = openSqliteFakeProvider(place, clock);
  return bind(place, publicUrl, { clock, fakeProvider, close: fakeProvider.close, ...options });
};

export const bindStepPorts = (
  place: string,
  publicUrl: string,
  options: HostPortOptions = {},
): StepPorts => {
  const clock = memoryClock(Date.now());
  const fakeProvider = openSqliteFakeProvider(place, clock);
  const faults = withFaults(fakeProvider, clock);
  const host = bind(place, publicUrl, {
    clock,
    fakeProvider: faults,
    showsEveryVisit: true,
    close: fakeProvider.close,
    ...options,
  });
  return { ...host, clock, faults, fakeProvider };
};

interface Given extends Pick<Ports, "clock" | "fakeProvider">, GivenOptions {
  close(): void;
}

const bind = (place: string, publicUrl: string, given: Given): HostPorts => {
  const { clock, fakeProvider, close: closeCloud, ...options } = given;
  const database = openSqlite(place, clock);
  const keys = loadOrCreateKeys(place);
  const signer = hmacSigner(keys.signing);
  const ports: Ports = {
    store: withTurns(database.store),
    softwareConfigs: database.softwareConfigs,
    queue: database.queue,
    blobs: database.blobs,
    uploads: hostUploads(database.uploads, { signer, publicUrl }),
    clock,
    ids: uuidIds(),
    random: cryptoRandom(),
    signer,
    cipher: aesCipher(keys.encryption),
    fakeProvider,
    resourceTypes: resourceTypes(),
    publicUrl,
    revision: manifest.version,
    ...options,
  };
  const close = (): void => {
    database.close();
    closeCloud();
  };
  return { ports, database, close };
};

/**
 * How long reads alone may keep the process. A write waits for its commit, which gives others a
 * turn.
 */
const TURN_MS_MAX = 5;

/**
 * The database reads synchronously, so an await in the engine never leaves the microtask queue.
 * Without a real pause now and then, reading a large stack would block all HTTP requests.
 */
const withTurns = (store: Store): Store => {
  let turnEnds = performance.now() + TURN_MS_MAX;
  let pause: Promise<void> | null = null;
  const giveTurn = (): Promise<void> | null => {
    if (pause === null && performance.now() >= turnEnds) {
      pause = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        pause = null;
        turnEnds = performance.now() + TURN_MS_MAX;
      });
    }
    return pause;
  };
  return {
    ...store,
    getResource: async (key) => {
      await giveTurn();
      return store.getResource(key);
    },
    getSyncPoint: async (key) => {
      await giveTurn();
      return store.getSyncPoint(key);
    },
  };
};
