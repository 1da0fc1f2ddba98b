/**
 * The embedded host: runs the handlers of functions/ and calls them for HTTP requests, queue
 * messages and timers. It turns the change feed into events.
 */
import { stackBodyBytesMax } from "#functions/body-limits.ts";
import { logger } from "#functions/logger.ts";
import { handler as sweepHandler } from "#functions/sweep/handler.ts";
import { steadyClock } from "#lib/adapters/node/steady-clock.ts";
import { takeFolder } from "#lib/adapters/sqlite/folder/data-folder.ts";
import type { FolderLock } from "#lib/adapters/sqlite/folder/folder-lock.ts";
import { refuseOtherFolder } from "#lib/adapters/sqlite/folder/folder-version.ts";
import { holdsLiveToken } from "#lib/adapters/sqlite/folder/token-file.ts";
import type { Durability } from "#lib/adapters/sqlite/transactions.ts";
import { LEASE_MS } from "#lib/convergence/limits.ts";
import { RetryLater } from "#lib/errors.ts";
import { DEAD_LETTER_QUEUE, RECEIVABLE_QUEUES } from "#lib/ports/queue.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type AnswerWriting, answerWriting, refuseWriting } from "#lib/stepping/step-routes.ts";
import { type AccessLog, noAccessLog, openAccessLog } from "./access-log.ts";
import { openBodyRoom } from "./body-room.ts";
import { startChangeFeed } from "./change-feed.ts";
import { resetHost, steppedEngine } from "./dev-routes.ts";
import { startDailyWarnings } from "./forewarnings.ts";
import {
  bindHostPorts,
  bindStepPorts,
  type HostPortOptions,
  type HostPorts,
  MEMORY,
} from "./host-ports.ts";
import { type Listeners, startListeners } from "./listeners.ts";
import { answerMetrics, requestCounter } from "./metrics.ts";
import { lookAtStart } from "./own-version.ts";
import type { BackEnds } from "./plugins/plugin-types.ts";
import { startStorageWatch } from "./problems.ts";
import { type QueuePoller, queueHandlers, startPoller } from "./queue-poller.ts";
import { checkReach, demandsTokens, type ReachOptions, ReachRefused } from "./reach.ts";
import { answerRequests, signerOf, whyNotReady } from "./routes.ts";
import { CLOSE_SECONDS_MAX, STOP_SECONDS_DEFAULT } from "./stop-seconds.ts";
import { SWEEP_MS_DEFAULT, startSweeper, sweepLostMessages, sweepPorts } from "./sweeper.ts";
import { templateFetch } from "./template-fetch.ts";

/**
 * Concurrent visits share their commits, so these numbers do not depend on the count of cores. One
 * project can occupy all batches of a queue but one.
 */
const BATCHES_MAX = { prepare: 2, check: 17, poll: 3, [DEAD_LETTER_QUEUE]: 1 };

export interface HostOptions
  extends ReachOptions,
    BackEnds,
    Pick<HostPortOptions, "templateBytesMax" | "tenantRate" | "clockSources"> {
  readonly port: number;
  readonly data: string | null;
  readonly sweepMs?: number;
  readonly storageLookMs?: number;
  readonly stopSeconds?: number | undefined;
  /** Nothing runs by itself: `/_dev/step` and `/_dev/drain` deliver the visits. */
  readonly step?: boolean;
  /** The hosts that `template_url` may name. By default nothing is fetched. */
  readonly templateHosts?: readonly string[] | undefined;
  readonly retentionDays?: number | undefined;
  readonly eventsPerStackMax?: number | undefined;
  readonly accessLog?: "all" | "refused" | "off" | undefined;
  /**
   * What a power failure may lose. By default it loses nothing that a client was told or that a
   * provider was asked to create.
   */
  readonly durability?: Durability | undefined;
}

/** The host demands tokens and its folder contains no valid one, so nobody could use it. */
export class NoTokens extends Error {
  override readonly name = "NoTokens";
}

export interface Host {
  readonly url: string;
  readonly listening: {
    readonly url: string;
    readonly agentsUrl: string | null;
    readonly metricsUrl: string | null;
  };
  reloadCertificate(): void;
  stop(): Promise<void>;
}

interface Work {
  /**
   * Takes no more messages and resolves when the current ones are handled. Requests are still
   * answered.
   */
  drain(): Promise<void>;
  stop(): Promise<void>;
  wake(): void;
  oldestStart(): number | null;
}

/**
 * Throws FolderRefused if the folder cannot be used or another host uses it. Throws ReachRefused,
 * NoTokens, TlsFilesUnusable, or the system's error for an address. After these errors no new file
 * or folder is left behind.
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

/** Runs before the first start creates databases and keys. */
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

/** The host sweeps each minute, so a shorter gap does not mean that no host was running. */
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
  options: HostOptions,
  publicUrl: string,
  agentsUrl: string | undefined,
): Bound => {
  const place = options.data ?? MEMORY;
  const hosts = options.templateHosts ?? [];
  const bound = {
    ...options,
    agentsUrl,
    retention: retentionOf(options.retentionDays, options.eventsPerStackMax),
    fetchTemplate: hosts.length === 0 ? undefined : templateFetch({ hosts }),
  };
  if (options.step !== true)
    return { host: bindHostPorts(place, publicUrl, bound), writing: refuseWriting };
  const host = bindStepPorts(place, publicUrl, bound);
  const writing = answerWriting(steppedEngine(host), () => resetHost(host), logFailure);
  return { host, writing };
};

const logFailure = (error: unknown): void => logger.error("a /_dev request failed", error);

/**
 * The former process may have died in an inline continuation, which has no message. So both modes
 * sweep first.
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
 * A visit that the storage fault ended could not give its lease back, so its lease is voided. A
 * visit that still runs keeps its lease, which began after the visit's own start.
 */
const resume = (host: HostPorts, work: Work): void => {
  try {
    host.database.voidLeases((work.oldestStart() ?? host.ports.clock.now()) + LEASE_MS);
  } catch (error) {
    // If the storage has failed again, the next successful look voids them.
    if (!(error instanceof RetryLater)) logger.error("the leases were not voided", error);
  }
  work.wake();
};

/** One unreadable stack must not prevent the host from serving all others. */
const firstSweep = async (host: HostPorts): Promise<void> => {
  try {
    await sweepLostMessages(host);
  } catch (error) {
    logger.error("the first sweep failed", error);
  }
};

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
 * Dead letters are handled first, because they end the operations that the suspects would visit. If
 * the storage fails meanwhile, the suspects are handled as usual.
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

/** After the limit, unfinished work is left as after a crash. The next start resumes it. */
const within = async (limitMs: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
};
