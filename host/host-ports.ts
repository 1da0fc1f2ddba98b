/** Binds the embedded adapters into the ports that the handlers are given. */
import { loggedLimit } from "#functions/api/request-limit.ts";
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
import type { Durability } from "#lib/adapters/sqlite/flushes.ts";
import { loadOrCreateKeys } from "#lib/adapters/sqlite/keys.ts";
import { openLiveSigner } from "#lib/adapters/sqlite/live-signer.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { ApiSettings } from "#lib/api/context.ts";
import { type LimitRequests, unlimited } from "#lib/api/request-limit.ts";
import { TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports, Retention } from "#lib/ports/ports.ts";
import type { Store } from "#lib/ports/store.ts";
import type { Turns } from "#lib/ports/turns.ts";
import { withResourceTypes } from "#lib/resources/bind-types.ts";
import type { CloudBackEnd } from "#lib/resources/cloud/cloud-back-end.ts";
import type { MachineProvider } from "#lib/resources/machine/ssh-machine.ts";
import type { TypeFamily } from "#lib/resources/provided/provided-family.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type FaultyFakeProvider, withFaults } from "#lib/stepping/fake-provider-faults.ts";
import type { ShownEngine } from "#lib/stepping/stepped-engine.ts";
import manifest from "../package.json" with { type: "json" };
import { type ChangeStreams, openChangeStreams } from "./change-streams.ts";
import { clockProblems, tellJump } from "./clock-jumps.ts";
import { type Foreseen, forewarnings } from "./forewarnings.ts";
import { withAwayTypes } from "./plugins/away-types.ts";
import { ALL_OF_AWS, rememberPlugins } from "./plugins/former-plugins.ts";
import type { AwayPlugin, Plugin } from "./plugins/load-plugin.ts";
import { providedTypes } from "./plugins/provided-types.ts";
import { type HostStorage, hostStorage, storageProblem } from "./storage-watch.ts";
import { textThreads } from "./text-reader.ts";
import { hostTurns } from "./turns.ts";
import { hostUploads } from "./uploads.ts";

export interface HostPortOptions extends Pick<ApiSettings, "templateBytesMax" | "fetchTemplate"> {
  readonly retention?: Retention;
  /** Absent: full. */
  readonly durability?: Durability | undefined;
  /** Requests a second of each project. Absent: no limit. */
  readonly tenantRate?: number | undefined;
  /** Absent: the machine's clocks. */
  readonly clockSources?: ClockSources | undefined;
  /** The base of the agents' signed URLs. Null or absent: the public one. */
  readonly agentsUrl?: string | null | undefined;
  readonly plugins?: readonly Plugin[] | undefined;
  readonly away?: readonly AwayPlugin[] | undefined;
  /** What makes servers. Null or absent: nothing does. */
  readonly cloud?: CloudBackEnd | null | undefined;
  /** What makes `AWS::*` types. Null or absent: nothing does. */
  readonly family?: TypeFamily | null | undefined;
  /** What reaches machines that exist. Null or absent: nothing does. */
  readonly machines?: MachineProvider | null | undefined;
}

export interface HostPorts {
  readonly ports: Ports;
  readonly settings: ApiSettings;
  /** The limit on each project's requests. */
  readonly limit: LimitRequests;
  /** The provider that the test types call. */
  readonly fakeProvider: FakeProvider;
  readonly database: SqliteAdapter;
  /**
   * Deletes a bounded number of expired records, the fake provider's too, and frees their space.
   * Returns how many.
   */
  tidy(now: number): number;
  readonly storage: HostStorage;
  /** What its forewarnings are made of. Null: nothing is kept, or the clock stands still. */
  readonly foreseen: Foreseen | null;
  /** Who is told of changes. */
  readonly streams: ChangeStreams;
  close(): void;
}

/** The ports and what step mode controls besides them. */
export interface StepPorts extends HostPorts {
  /**
   * Stands still, and jumps to the next due time. So nothing depends on how long somebody waits.
   */
  readonly clock: MemoryClock;
  readonly faults: FaultyFakeProvider;
  /** Its database, below the faults. */
  readonly objects: SqliteFakeProvider;
}

export const shownEngine = ({ ports, database }: HostPorts): ShownEngine => ({
  ports,
  queue: database.queue,
  stacksNamed: database.stacksNamed,
  countSyncPoints: database.countSyncPoints,
});

export const MEMORY = ":memory:";

/** What an operator must give again for what was made. */
const FAMILY_OPTION = "--aws";
const MACHINES_OPTION = "--ssh";

/** `place` is the data folder, or MEMORY. */
export const bindHostPorts = (
  place: string,
  publicUrl: string,
  {
    retention = retentionOf(),
    durability,
    tenantRate: rate,
    clockSources: sources,
    agentsUrl,
    plugins = [],
    away = [],
    cloud = null,
    family = null,
    machines = null,
    ...options
  }: HostPortOptions = {},
): HostPorts => {
  const clock = steadyClock({ ...(sources ? { sources } : {}), jumped: tellJump });
  const objects = openSqliteFakeProvider(place, clock, durability);
  return bind(place, publicUrl, {
    clock,
    steady: clock,
    fakeProvider: objects,
    retention,
    durability,
    agentsUrl,
    plugins,
    away,
    cloud,
    family,
    machines,
    limit: rate === undefined ? unlimited : loggedLimit(memoryThrottle(), clock, { rate, own: {} }),
    settings: { revision: manifest.version, ...options },
    objects,
  });
};

/** Its clock stands still, so a window would never end. It has no limit. */
export const bindStepPorts = (
  place: string,
  publicUrl: string,
  {
    retention = retentionOf(),
    agentsUrl,
    plugins = [],
    away = [],
    cloud = null,
    family = null,
    machines = null,
    ...options
  }: Omit<HostPortOptions, "tenantRate" | "durability"> = {},
): StepPorts => {
  const clock = memoryClock(Date.now());
  const objects = openSqliteFakeProvider(place, clock);
  const faults = withFaults(objects, clock);
  const host = bind(place, publicUrl, {
    clock,
    fakeProvider: faults,
    retention,
    agentsUrl,
    plugins,
    away,
    cloud,
    family,
    machines,
    limit: unlimited,
    settings: { revision: manifest.version, showsEveryVisit: true, ...options },
    objects,
  });
  return { ...host, clock, faults, objects };
};

interface Given extends Pick<HostPorts, "settings" | "limit" | "fakeProvider"> {
  readonly clock: Clock;
  /** The same clock, if it follows the machine's. */
  readonly steady?: SteadyClock;
  readonly retention: Retention;
  readonly durability?: Durability | undefined;
  readonly agentsUrl: string | null | undefined;
  readonly plugins: readonly Plugin[];
  readonly away: readonly AwayPlugin[];
  readonly cloud: CloudBackEnd | null;
  readonly family: TypeFamily | null;
  readonly machines: MachineProvider | null;
  /** What the fake provider keeps in its file. */
  readonly objects: SqliteFakeProvider;
}

const problemsOf = (storage: HostStorage, steady: Given["steady"]) => [
  ...storage.faults().map(storageProblem),
  ...(steady ? clockProblems(steady) : []),
];

/** Who may have made objects, by the option that has brought them. */
const makersOf = ({ plugins, cloud, family, machines }: Given) => [
  ...plugins,
  ...(cloud === null ? [] : [{ source: cloud.option, provider: cloud }]),
  ...(machines === null ? [] : [{ source: MACHINES_OPTION, provider: machines }]),
  ...(family === null
    ? []
    : [{ source: FAMILY_OPTION, provider: { name: family.name, types: { [ALL_OF_AWS]: {} } } }]),
];

const bind = (place: string, publicUrl: string, given: Given): HostPorts => {
  const { clock, fakeProvider, objects, settings, limit, steady } = given;
  const database = openSqlite(place, clock, given.durability);
  steady?.notBefore(database.latestTime() ?? 0);
  const keys = loadOrCreateKeys(place, database.holdsSealed());
  const live = openLiveSigner(place, keys, (error) => {
    logger.error("the changed keys.json was not taken; the former keys stay in use", error);
  });
  const { signer } = live;
  const signedBase = given.agentsUrl ?? publicUrl;
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
    retention: given.retention,
    life: keys.life ?? 0,
    metNewerLife: (life: number) => database.retire(newerLife(place, life)),
  };
  const random = cryptoRandom();
  const { plugins, cloud, family, machines } = given;
  const former = rememberPlugins(place === MEMORY ? null : place, makersOf(given));
  const provided = providedTypes({ plugins, cloud, family, machines }, clock, former);
  const ports = withResourceTypes(unbound, (engine) =>
    withAwayTypes(resourceTypes({ engine, random, fakeProvider }, provided), given.away, clock),
  );
  const openedAt = clock.now();
  const tidy = (now: number): number => {
    if (steady && steady.leadMs() > 0 && database.latestTime() === null) steady.follow();
    // A machine may start with a wrong clock, which is set right within minutes.
    if (steady && steady.now() - openedAt < HELD_MS) return 0;
    const machineNow = now - (steady?.leadMs() ?? 0);
    return database.purgeExpired(machineNow) + objects.forgetAnswers(machineNow - TOMBSTONE_MS);
  };
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
      ...settings,
      ...(foreseen && { forewarnings: (tenant, actor) => forewarnings(foreseen, tenant, actor) }),
      problems: () => problemsOf(storage, steady),
    },
    limit,
    fakeProvider,
    database,
    tidy,
    storage,
    streams,
    close,
  };
};

/** The storage watch logs it, and the doctor says it. */
const newerLife = (place: string, life: number): string =>
  `${place} was restored elsewhere, and an agent has been served by that newer life (${life}). So this host has stopped: two of them would work on the same resources. ${GO_ON_HERE}`;

const GO_ON_HERE =
  "Stop one of the two for good. To go on with this folder, stop the other, and back this one up and restore it";

/** Reading a large stack or sweeping many stacks gives others a turn. A write waits anyway. */
const withTurns = (store: Store, turns: Turns): Store => {
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => turns.pause()?.then(read) ?? read();
  return {
    ...store,
    getStack: (tenant, id) => inTurn(() => store.getStack(tenant, id)),
    getResource: (key) => inTurn(() => store.getResource(key)),
    getSyncPoint: (key) => inTurn(() => store.getSyncPoint(key)),
  };
};
