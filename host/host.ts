/**
 * The embedded host: runs the handlers of functions/ and feeds them from HTTP, queues and a clock.
 * It makes events from the change feed.
 */
import { stackBodyBytesMax } from "#functions/body-limits.ts";
import { logger } from "#functions/logger.ts";
import { handler as sweepHandler } from "#functions/sweep/handler.ts";
import { type ClockSources, steadyClock } from "#lib/adapters/node/steady-clock.ts";
import { takeFolder } from "#lib/adapters/sqlite/data-folder.ts";
import type { Durability } from "#lib/adapters/sqlite/flushes.ts";
import type { FolderLock } from "#lib/adapters/sqlite/folder-lock.ts";
import { refuseOtherFolder } from "#lib/adapters/sqlite/folder-version.ts";
import { holdsLiveToken } from "#lib/adapters/sqlite/token-file.ts";
import { LEASE_MS } from "#lib/convergence/limits.ts";
import { RetryLater } from "#lib/errors.ts";
import { DEAD_LETTER_QUEUE, RECEIVABLE_QUEUES } from "#lib/ports/receiving-queue.ts";
import type { CloudBackEnd } from "#lib/resources/cloud/cloud-back-end.ts";
import type { MachineProvider } from "#lib/resources/machine/ssh-machine.ts";
import type { TypeFamily } from "#lib/resources/provided/provided-family.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type AnswerWriting, answerWriting, refuseWriting } from "#lib/stepping/step-routes.ts";
import { type AccessLog, noAccessLog, openAccessLog } from "./access-log.ts";
import { answerMetrics } from "./answer-metrics.ts";
import { openBodyRoom } from "./body-room.ts";
import { startChangeFeed } from "./change-feed.ts";
import { startDailyWarnings } from "./daily-warnings.ts";
import { queueHandlers } from "./deliver.ts";
import { bindHostPorts, bindStepPorts, type HostPorts, MEMORY } from "./host-ports.ts";
import { type Listeners, startListeners } from "./listeners.ts";
import { requestCounter } from "./metrics.ts";
import type { AwayPlugin, Plugin } from "./plugins/load-plugin.ts";
import { type QueuePoller, startPoller } from "./queue-poller.ts";
import { checkReach, demandsTokens, type ReachOptions, ReachRefused } from "./reach.ts";
import { answerRequests, signerOf, whyNotReady } from "./routes.ts";
import { lookAtStart } from "./start-lines.ts";
import { resetHost, steppedEngine, sweepLostMessages } from "./stepped-host.ts";
import { CLOSE_SECONDS_MAX, STOP_SECONDS_DEFAULT } from "./stop-seconds.ts";
import { startStorageWatch } from "./storage-watch.ts";
import { SWEEP_MS_DEFAULT, startSweeper, sweepPorts } from "./sweeper.ts";
import { templateFetch } from "./template-fetch.ts";

/**
 * One process, so this is not about cores: concurrent visits share their commits. One project
 * has at most all batches of a queue of work but one.
 */
const BATCHES_MAX = { prepare: 2, check: 17, poll: 3, [DEAD_LETTER_QUEUE]: 1 };

export interface HostOptions extends ReachOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** The data folder; null keeps everything in memory. */
  readonly data: string | null;
  readonly sweepMs?: number;
  /** The clocks that the host reads; absent: the machine's. Step mode has a clock of its own. */
  readonly clockSources?: ClockSources;
  /** How often the host looks after its storage. */
  readonly storageLookMs?: number;
  /** How long a stop waits for the calls of providers. Absent: STOP_SECONDS_DEFAULT. */
  readonly stopSeconds?: number | undefined;
  /** Nothing runs by itself: `/_dev/step` and `/_dev/drain` deliver the visits. */
  readonly step?: boolean;
  /** Heat's max_template_size. If absent, Heat's default. */
  readonly templateBytesMax?: number | undefined;
  /** The hosts that `template_url` may name. Absent or empty: nothing is fetched. */
  readonly templateHosts?: readonly string[] | undefined;
  /** How long a deleted stack can still be looked at. */
  readonly retentionDays?: number | undefined;
  /** Heat's max_events_per_stack. */
  readonly eventsPerStackMax?: number | undefined;
  /** The providers of further resource types. */
  readonly plugins?: readonly Plugin[];
  /** Plug-ins that are servers and did not answer. */
  readonly away?: readonly AwayPlugin[];
  /** What makes servers. Absent: nothing does. */
  readonly cloud?: CloudBackEnd | undefined;
  /** What makes `AWS::*` types. Absent: nothing does. */
  readonly family?: TypeFamily | undefined;
  /** What reaches machines that exist. Absent: nothing does. */
  readonly machines?: MachineProvider | undefined;
  /** Requests a second of each project. Absent: no limit. Step mode never has one. */
  readonly tenantRate?: number | undefined;
  /** What access.log in the data folder records. The default is `refused`. */
  readonly accessLog?: "all" | "refused" | "off" | undefined;
  /** What a power failure may take. Absent: nothing that anybody was told, or that was made. */
  readonly durability?: Durability | undefined;
}

/** Nobody could use the host: it demands tokens, and its folder holds no valid one. */
export class NoTokens extends Error {
  override readonly name = "NoTokens";
}

export interface Host {
  /** Where clients reach it. */
  readonly url: string;
  /** Where it listens itself, and where it answers agents only. */
  readonly listening: {
    readonly url: string;
    readonly agentsUrl: string | null;
    readonly metricsUrl: string | null;
  };
  /** Reads the certificate and its key again. */
  reloadCertificate(): void;
  /** Finishes the work in progress, within a time limit, and closes the database. */
  stop(): Promise<void>;
}

interface Work {
  /** Takes no more messages. Resolves when the current ones are done. Requests are answered. */
  drain(): Promise<void>;
  stop(): Promise<void>;
  /** What waits for its time, or for the storage, tries now. */
  wake(): void;
  /** When the oldest visit that still runs began. Null: none runs. */
  oldestStart(): number | null;
}

/**
 * Throws FolderRefused if the folder cannot be used, or another host uses it. Else ReachRefused,
 * NoTokens, TlsFilesUnusable, or the system's error for an address that cannot be used. The latter
 * leave no file and no folder that was not there before.
 */
export const startHost = async (options: HostOptions): Promise<Host> => {
  checkOptions(options);
  const taken = options.data === null ? null : takeFolder(options.data);
  try {
    return await startLocked({ ...options, data: taken?.path ?? null }, taken);
  } catch (error) {
    taken?.undo();
    throw error;
  }
};

const checkOptions = (options: HostOptions): void => {
  checkReach(options);
  if (!demandsTokens(options)) return;
  if (options.data === null) throw new ReachRefused("--memory cannot hold tokens: give --data.");
  if (options.step === true) {
    throw new ReachRefused("--step is only for the loopback interface without tokens.");
  }
};

const startLocked = async (options: HostOptions, lock: FolderLock | null): Promise<Host> => {
  if (options.data !== null) refuseOtherFolder(options.data);
  const lines = lookAtStart(options.data);
  const listeners = await startListeners(options.port, options);
  const { publicUrl, agents } = listeners;
  try {
    refuseWithoutToken(options);
    const bound = bindPorts(options, publicUrl, agents?.publicUrl);
    try {
      lines.opened();
      return await startBound(bound, listeners, options, lock);
    } catch (error) {
      bound.host.close();
      throw error;
    }
  } catch (error) {
    await listeners.stop();
    throw error;
  }
};

/** Before the first start makes databases and keys. */
const refuseWithoutToken = (options: HostOptions): void => {
  const { data, clockSources: sources } = options;
  if (data === null || !demandsTokens(options)) return;
  if (holdsLiveToken(data, steadyClock({ ...(sources ? { sources } : {}) }))) return;
  throw new NoTokens(`${data} holds no valid token, so nobody could use the host.`);
};

const dropOversized = ({ database }: HostPorts): void => {
  const rows = database.dropOversized();
  if (rows > 0) logger.info("dropped values that are larger than the limit", { rows });
};

/** The host sweeps each minute, so a shorter gap is no time away. */
const AWAY_MS_MIN = 120_000;

export const putOffDeadlines = async ({ ports, database }: HostPorts): Promise<void> => {
  const seen = await ports.store.lastSweepAt();
  const awayMs = seen === null ? 0 : ports.clock.now() - seen;
  if (awayMs < AWAY_MS_MIN) return;
  database.putOffDeadlines(awayMs);
  logger.info("no host ran for a while, so deadlines are put off by that", {
    seconds: Math.round(awayMs / 1_000),
  });
};

const startBound = async (
  { host, writing }: Bound,
  listeners: Listeners,
  options: HostOptions,
  lock: FolderLock | null,
): Promise<Host> => {
  const { ports, database } = host;
  const withTokens = demandsTokens(options);
  const log = accessLogOf(options);
  let isDraining = false;
  const requests = requestCounter();
  const isReady = (): boolean => whyNotReady(host, isDraining) === null;
  const answer = answerRequests(host, writing, withTokens, () => isDraining);
  listeners.serve({
    answer,
    answerMetrics: answerMetrics({ host, requests, tls: options.tls, isReady }, answer),
    findStream: host.streams.find,
    findSigner: signerOf(host),
    tokens: database.tokens,
    clock: ports.clock,
    log: {
      ...log,
      add: (entry) => {
        requests.count(entry);
        log.add(entry);
      },
    },
    stackBytesMax: stackBodyBytesMax(options.templateBytesMax),
    bodyRoom: openBodyRoom(),
  });
  dropOversized(host);
  if (options.step !== true) await putOffDeadlines(host);
  database.voidFormerProcess();
  const work = await startWork(host, listeners, options);
  const tls = options.tls;
  const warnings =
    options.step === true ? null : startDailyWarnings({ foreseen: host.foreseen, tls });
  const watch = startStorageWatch(host.storage, {
    lookMs: options.storageLookMs,
    tryAgain: () => resume(host, work),
    over: () => void firstSweep(host),
  });
  return {
    url: ports.publicUrl,
    listening: {
      url: listeners.url,
      agentsUrl: listeners.agents?.url ?? null,
      metricsUrl: listeners.metricsUrl,
    },
    reloadCertificate: listeners.reloadCertificate,
    stop: async () => {
      isDraining = true;
      watch.stop();
      warnings?.stop();
      host.streams.close();
      await within((options.stopSeconds ?? STOP_SECONDS_DEFAULT) * 1_000, work.drain());
      await within(CLOSE_SECONDS_MAX * 1_000, work.stop().then(log.close));
      host.close();
      lock?.release();
    },
  };
};

const accessLogOf = ({ data, accessLog = "refused" }: HostOptions): AccessLog =>
  data === null || accessLog === "off"
    ? noAccessLog
    : openAccessLog(data, ({ reason }) => accessLog === "all" || reason !== null);

interface Bound {
  readonly host: HostPorts;
  readonly writing: AnswerWriting;
}

const bindPorts = (
  { data, step, ...options }: HostOptions,
  publicUrl: string,
  agentsUrl: string | undefined,
): Bound => {
  const place = data ?? MEMORY;
  const { templateBytesMax, plugins, away, cloud, family, machines } = options;
  const { retentionDays, eventsPerStackMax, tenantRate, clockSources, durability } = options;
  const retention = retentionOf(retentionDays, eventsPerStackMax);
  const hosts = options.templateHosts ?? [];
  const fetchTemplate = hosts.length === 0 ? undefined : templateFetch({ hosts });
  const makers = { plugins, away, cloud, family, machines };
  const bound = { templateBytesMax, fetchTemplate, retention, agentsUrl, ...makers };
  if (step !== true)
    return {
      host: bindHostPorts(place, publicUrl, { ...bound, tenantRate, clockSources, durability }),
      writing: refuseWriting,
    };
  const host = bindStepPorts(place, publicUrl, bound);
  const writing = answerWriting(steppedEngine(host), () => resetHost(host), logFailure);
  return { host, writing };
};

const logFailure = (error: unknown): void => logger.error("a /_dev request failed", error);

/**
 * The former process may have died in an inline continuation, for which there is no message. So
 * both modes sweep first.
 */
const startWork = async (
  host: HostPorts,
  server: Listeners,
  { step, sweepMs }: HostOptions,
): Promise<Work> => {
  await firstSweep(host);
  if (step === true) {
    const nothing = async (): Promise<void> => undefined;
    return { drain: nothing, stop: server.stop, wake: () => undefined, oldestStart: () => null };
  }
  return startLoops(host, server, sweepMs ?? SWEEP_MS_DEFAULT);
};

/**
 * A visit that the fault ended could not give its lease back. Only a visit that still runs needs
 * one, and it took it after its own start.
 */
const resume = (host: HostPorts, work: Work): void => {
  try {
    host.database.voidLeases((work.oldestStart() ?? host.ports.clock.now()) + LEASE_MS);
  } catch (error) {
    // If the fault has come again, the look after it voids them.
    if (!(error instanceof RetryLater)) logger.error("the leases were not voided", error);
  }
  work.wake();
};

/** One unreadable stack must not keep the host from all others. */
const firstSweep = async (host: HostPorts): Promise<void> => {
  try {
    await sweepLostMessages(host);
  } catch (error) {
    logger.error("the first sweep failed", error);
  }
};

/** Starts everything that runs by itself. Returns how to stop it. */
const startLoops = (host: HostPorts, server: Listeners, sweepMs: number): Work => {
  const { ports, database } = host;
  const pollers = startPollers(host);
  const wakePollers = (): void => {
    for (const poller of pollers) poller.wake();
  };
  const begun = beginAfterSuspects(pollers).then(() => {
    database.queue.onAdded(wakePollers);
    wakePollers();
  });
  const feed = startChangeFeed(database.changes, ports, host.streams.announce);
  database.changes.onAdded(feed.wake);
  const sweeper = startSweeper(
    host,
    (event, context) =>
      sweepHandler(sweepPorts(host), undefined, { dropsHeld: true })(event, context),
    sweepMs,
  );
  return {
    drain: async () => {
      await Promise.all([sweeper.stop(), ...pollers.map((poller) => poller.stop())]);
    },
    stop: async () => {
      await server.stop();
      await begun;
      await feed.stop();
    },
    wake: () => {
      wakePollers();
      feed.wake();
    },
    oldestStart: () => {
      const starts = pollers.flatMap((poller) => poller.oldestStart() ?? []);
      return starts.length === 0 ? null : Math.min(...starts);
    },
  };
};

/**
 * Dead letters come first: they end what the suspects are visits of. If the storage fails
 * meanwhile, the suspects are handled as usual.
 */
const beginAfterSuspects = async (pollers: readonly QueuePoller[]): Promise<void> => {
  try {
    for (const poller of pollers.toReversed()) await poller.handleSuspects();
  } catch (error) {
    logger.error("not all messages of the former process were handled one by one", error);
  }
};

const startPollers = ({ ports, database }: HostPorts): readonly QueuePoller[] => {
  const handlers = queueHandlers(ports);
  return RECEIVABLE_QUEUES.map((queue) => {
    const { now } = ports.clock;
    const options = { queue, handler: handlers[queue], concurrency: BATCHES_MAX[queue], now };
    return startPoller(database.queue, options);
  });
};

/** Work that takes longer is left as after a kill, and the next start resumes it. */
const within = async (limitMs: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
};
