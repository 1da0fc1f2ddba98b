/** Binds the embedded adapters to the ports that the handlers use. */

import { loggedLimit } from "#functions/api/around-requests.ts";
import { logger } from "#functions/logger.ts";
import { type MemoryClock, memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryThrottle } from "#lib/adapters/memory/throttle.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, uuidIds } from "#lib/adapters/node/platform.ts";
import {
  type ClockSources,
  HELD_MS,
  type SteadyClock,
  steadyClock,
} from "#lib/adapters/node/steady-clock.ts";
import {
  openSqliteFakeProvider,
  type SqliteFakeProvider,
} from "#lib/adapters/sqlite/fake-provider.ts";
import { loadOrCreateKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { openLiveSigner } from "#lib/adapters/sqlite/folder/live-signer.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { Durability } from "#lib/adapters/sqlite/transactions.ts";
import type { ApiSettings } from "#lib/api/context.ts";
import { type LimitRequests, unlimited } from "#lib/api/request-limit.ts";
import { TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Clock, Ports, Retention, Turns } from "#lib/ports/ports.ts";
import type { Store } from "#lib/ports/store.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type FaultyFakeProvider, withFaults } from "#lib/stepping/fake-provider-faults.ts";
import type { ShownEngine } from "#lib/stepping/step-mode.ts";
import manifest from "../../package.json" with { type: "json" };
import { type ChangeStreams, openChangeStreams } from "./change-streams.ts";
import { type Foreseen, forewarnings } from "./forewarnings.ts";
import { ALL_OF_AWS, rememberPlugins } from "./plugins/former-plugins.ts";
import { type BackEnds, providedTypes, withAwayTypes } from "./plugins/plugin-types.ts";
import {
  clockProblems,
  type HostStorage,
  hostStorage,
  storageProblem,
  tellJump,
} from "./problems.ts";
import { textThreads } from "./text-reader.ts";
import { hostTurns } from "./turns.ts";
import { hostUploads } from "./uploads.ts";

export interface HostPortOptions
  extends BackEnds,
    Pick<ApiSettings, "templateBytesMax" | "fetchTemplate"> {
  readonly retention?: Retention;
  readonly durability?: Durability | undefined;
  readonly tenantRate?: number | undefined;
  readonly clockSources?: ClockSources | undefined;
  readonly agentsUrl?: string | null | undefined;
}

export interface HostPorts {
  readonly ports: Ports;
  readonly settings: ApiSettings;
  readonly limit: LimitRequests;
  readonly fakeProvider: FakeProvider;
  readonly database: SqliteAdapter;
  /**
   * Deletes a bounded number of expired records, also of the fake provider, and frees their space.
   * @returns how many were deleted
   */
  tidy(now: number): number;
  readonly storage: HostStorage;
  readonly foreseen: Foreseen | null;
  readonly streams: ChangeStreams;
  close(): void;
}

export interface StepPorts extends HostPorts {
  /**
   * The clock stands still and jumps to the next due time, so results do not depend on how long
   * somebody waits.
   */
  readonly clock: MemoryClock;
  readonly faults: FaultyFakeProvider;
  readonly objects: SqliteFakeProvider;
}

export const shownEngine = ({ ports, database }: HostPorts): ShownEngine => ({
  ports,
  queue: database.queue,
  stacksNamed: database.stacksNamed,
  countSyncPoints: database.countSyncPoints,
});

export const MEMORY = ":memory:";

/** An error names these options if the host starts without one that has made objects. */
const FAMILY_OPTION = "--aws";
const MACHINES_OPTION = "--ssh";

export const bindHostPorts = (
  place: string,
  publicUrl: string,
  options: HostPortOptions = {},
): HostPorts => {
  const { durability, tenantRate: rate, clockSources: sources } = options;
  const clock = steadyClock({ ...(sources ? { sources } : {}), jumped: tellJump });
  const objects = openSqliteFakeProvider(place, clock, durability);
  const limit =
    rate === undefined ? unlimited : loggedLimit(memoryThrottle(), clock, { rate, own: {} });
  const given = { clock, steady: clock, fakeProvider: objects, objects, durability, limit };
  return bind(place, publicUrl, options, given);
};

/**
 * In step mode the clock stands still, so a rate limit's window would never end. There is no limit.
 */
export const bindStepPorts = (
  place: string,
  publicUrl: string,
  options: Omit<HostPortOptions, "tenantRate" | "durability"> = {},
): StepPorts => {
  const clock = memoryClock(Date.now());
  const objects = openSqliteFakeProvider(place, clock);
  const faults = withFaults(objects, clock);
  const given = { clock, fakeProvider: faults, objects, limit: unlimited };
  return { ...bind(place, publicUrl, options, given), clock, faults, objects };
};

interface Given extends Pick<HostPorts, "limit" | "fakeProvider"> {
  readonly clock: Clock;
  /** Absent in step mode. */
  readonly steady?: SteadyClock;
  readonly durability?: Durability | undefined;
  readonly objects: SqliteFakeProvider;
}

const problemsOf = (storage: HostStorage, steady: SteadyClock | undefined) => [
  ...storage.faults().map(storageProblem),
  ...(steady ? clockProblems(steady) : []),
];

/** Deletes what has expired. @returns how many records. */
const tidyFrom =
  (
    openedAt: number,
    database: SqliteAdapter,
    objects: SqliteFakeProvider,
    steady: SteadyClock | undefined,
  ) =>
  (now: number): number => {
    if (steady && steady.leadMs() > 0 && database.latestTime() === null) steady.follow();
    // A machine may start with a wrong clock that is corrected within minutes.
    if (steady && steady.now() - openedAt < HELD_MS) return 0;
    const machineNow = now - (steady?.leadMs() ?? 0);
    return database.purgeExpired(machineNow) + objects.forgetAnswers(machineNow - TOMBSTONE_MS);
  };

const makersOf = ({ plugins = [], cloud, family, machines }: BackEnds) => [
  ...plugins,
  ...(cloud ? [{ source: cloud.option, provider: cloud }] : []),
  ...(machines ? [{ source: MACHINES_OPTION, provider: machines }] : []),
  ...(family
    ? [{ source: FAMILY_OPTION, provider: { name: family.name, types: { [ALL_OF_AWS]: {} } } }]
    : []),
];

const bind = (
  place: string,
  publicUrl: string,
  options: HostPortOptions,
  { clock, steady, fakeProvider, objects, limit, durability }: Given,
): HostPorts => {
  const { templateBytesMax, fetchTemplate } = options;
  const database = openSqlite(place, clock, durability);
  steady?.notBefore(database.latestTime() ?? 0);
  const keys = loadOrCreateKeys(place, database.holdsSealed());
  const live = openLiveSigner(place, keys, (error) => {
    logger.error("the changed keys.json was not taken; the former keys stay in use", error);
  });
  const { signer } = live;
  const signedBase = options.agentsUrl ?? publicUrl;
  const cipher = aesCipher(keys.encryption);
  const threads = textThreads();
  const turns = hostTurns();
  const unbound = {
    store: withTurns(database.store, turns),
    softwareConfigs: database.softwareConfigs,
    queue: database.queue,
    blobs: database.blobs,
    uploads: hostUploads(database.uploads, { signer, cipher, publicUrl: signedBase }),
    clock,
    ids: uuidIds(),
    signer,
    cipher,
    textReader: threads,
    turns,
    publicUrl,
    pollUrl: signedBase,
    reportUrl: signedBase,
    retention: options.retention ?? retentionOf(),
    life: keys.life ?? 0,
    metNewerLife: (life: number) => database.retire(newerLife(place, life)),
  };
  const random = cryptoRandom();
  const former = rememberPlugins(place === MEMORY ? null : place, makersOf(options));
  const provided = providedTypes(options, clock, former);
  const ports = withResourceTypes(unbound, (engine) =>
    withAwayTypes(resourceTypes({ engine, random, fakeProvider }, provided), options, clock),
  );
  const streams = openChangeStreams(steady === undefined);
  const close = (): void => {
    for (const one of [streams, threads, live, database, objects]) one.close();
  };
  const storage = hostStorage([database, objects]);
  const foreseen = place === MEMORY || !steady ? null : { folder: place, database, clock };
  return {
    ports,
    foreseen,
    settings: {
      revision: manifest.version,
      templateBytesMax,
      fetchTemplate,
      ...(steady ? {} : { showsEveryVisit: true }),
      ...(foreseen && { forewarnings: (tenant, actor) => forewarnings(foreseen, tenant, actor) }),
      problems: () => problemsOf(storage, steady),
    },
    limit,
    fakeProvider,
    database,
    tidy: tidyFrom(clock.now(), database, objects, steady),
    storage,
    streams,
    close,
  };
};

const newerLife = (place: string, life: number): string =>
  `${place} was restored elsewhere, and an agent has been served by that newer life (${life}). So this host has stopped: two of them would work on the same resources. ${GO_ON_HERE}`;

const GO_ON_HERE =
  "Stop one of the two for good. To go on with this folder, stop the other, and back this one up and restore it";

/**
 * Reading a large stack or sweeping many stacks lets other work run in between. Writes wait for
 * their commit anyway.
 */
const withTurns = (store: Store, turns: Turns): Store => {
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => turns.pause()?.then(read) ?? read();
  return {
    ...store,
    getStack: (tenant, id) => inTurn(() => store.getStack(tenant, id)),
    getResource: (key) => inTurn(() => store.getResource(key)),
    getSyncPoint: (key) => inTurn(() => store.getSyncPoint(key)),
  };
};
