/**
 * The embedded host: runs the handlers of functions/ and feeds them from HTTP, queues, the change
 * feed and a clock.
 */
import { handler as apiHandler } from "#functions/api/handler.ts";
import { stackBodyBytesMax } from "#functions/body-limits.ts";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { handler as eventsHandler } from "#functions/events/handler.ts";
import { logger } from "#functions/logger.ts";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import { handler as signalHandler } from "#functions/signal/handler.ts";
import { handler as sweepHandler } from "#functions/sweep/handler.ts";
import { type FolderLock, lockFolder } from "#lib/adapters/sqlite/folder-lock.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { startChangeFeed } from "./change-feed.ts";
import { answerDev, DEV_PREFIX } from "./dev-routes.ts";
import { bindHostPorts, bindStepPorts, type HostPorts } from "./host-ports.ts";
import { type Answer, type HttpServer, startHttpServer } from "./http-server.ts";
import { lambdaContext, proxyEvent } from "./lambda-events.ts";
import { type QueuePoller, startPoller } from "./queue-poller.ts";
import { sendWhatWasLost } from "./step-mode.ts";
import { type AnswerWriting, answerWriting, refuseWriting } from "./step-routes.ts";
import { SWEEP_MS_DEFAULT, sendingWhatWasLost, startSweeper } from "./sweeper.ts";
import { takeUpload, UPLOAD_PATH } from "./uploads.ts";

/** One process, so this is not about cores: concurrent visits share their commits. */
const CHECK_BATCHES_MAX = 16;
const POLL_BATCHES_MAX = 2;
const REQUEST_MS_MAX = 30_000;
/** How long messages and requests in progress may take at the end. */
const STOP_MS_MAX = 10_000;

export interface HostOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** The data folder; null keeps everything in memory. */
  readonly data: string | null;
  readonly sweepMs?: number;
  /** Nothing runs by itself: `/_dev/step` and `/_dev/drain` deliver the visits. */
  readonly step?: boolean;
  /** Heat's max_template_size. If absent, Heat's default. */
  readonly templateBytesMax?: number;
}

export interface Host {
  readonly url: string;
  /** Finishes the work in progress, within a time limit, and closes the database. */
  stop(): Promise<void>;
}

/** Throws if another host uses the folder, or if the port is taken. */
export const startHost = async (options: HostOptions): Promise<Host> => {
  const lock = options.data === null ? null : lockFolder(options.data);
  const place = options.data ?? ":memory:";
  const { templateBytesMax } = options;
  const portOptions = templateBytesMax === undefined ? {} : { templateBytesMax };
  const bound: { host?: HostPorts } = {};
  try {
    const server = await startHttpServer(
      options.port,
      (port) => {
        const url = `http://127.0.0.1:${port}`;
        if (options.step) {
          const host = bindStepPorts(place, url, portOptions);
          bound.host = host;
          return answerRequests(host, answerWriting(host, logFailure));
        }
        bound.host = bindHostPorts(place, url, portOptions);
        return answerRequests(bound.host, refuseWriting);
      },
      stackBodyBytesMax(templateBytesMax),
    );
    const { host } = bound;
    if (!host) throw new Error("the HTTP server started without a database");
    host.database.voidFormerProcess();
    if (options.step) {
      await sendWhatWasLost(host);
      return running(host, lock, server.stop);
    }
    // The former process may have died in an inline continuation, for which there is no message.
    await firstSweep(host.ports);
    return running(host, lock, start(host, server, options.sweepMs ?? SWEEP_MS_DEFAULT));
  } catch (error) {
    bound.host?.close();
    lock?.release();
    throw error;
  }
};

/** One unreadable stack must not keep the host from all others. */
const firstSweep = async (ports: Ports): Promise<void> => {
  try {
    await sweepAndRecord(ports, 0);
  } catch (error) {
    logger.error("the first sweep failed", error);
  }
};

const logFailure = (error: unknown): void => logger.error("a /_dev request failed", error);

const startPollers = ({ ports, database }: HostPorts): readonly QueuePoller[] => {
  const check = checkHandler(ports);
  const pollers = [
    startPoller(database.queue, {
      queue: "prepare",
      handler: prepareHandler(ports),
      concurrency: 1,
    }),
    startPoller(database.queue, { queue: "check", handler: check, concurrency: CHECK_BATCHES_MAX }),
    startPoller(database.queue, { queue: "poll", handler: check, concurrency: POLL_BATCHES_MAX }),
    startPoller(database.queue, {
      queue: "dead-letter",
      handler: deadLetterHandler(ports),
      concurrency: 1,
    }),
  ];
  database.queue.onAdded(() => {
    for (const poller of pollers) poller.wake();
  });
  return pollers;
};

/** Starts everything that runs by itself. Returns how to stop it. */
const start = (host: HostPorts, server: HttpServer, sweepMs: number): (() => Promise<void>) => {
  const { ports, database } = host;
  const pollers = startPollers(host);
  const feed = startChangeFeed(database.changes, eventsHandler(ports));
  database.changes.onAdded(feed.wake);
  const sweeper = startSweeper(database, sweepHandler(sendingWhatWasLost(host)), sweepMs);
  return async () => {
    await Promise.all([server.stop(), sweeper.stop(), ...pollers.map((poller) => poller.stop())]);
    await feed.stop();
  };
};

const running = (host: HostPorts, lock: FolderLock | null, finish: () => Promise<void>): Host => ({
  url: host.ports.publicUrl,
  stop: async () => {
    await within(STOP_MS_MAX, finish());
    host.close();
    lock?.release();
  },
});

/** Work that takes longer is left as after a kill, and the next start resumes it. */
const within = async (limitMs: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
};

const SIGNAL = /^\/v1\/agent\/signal\/([^/]+)$/;
const METADATA = /^\/v1\/agent\/metadata\/([^/]+)$/;

const answerRequests = (host: HostPorts, answerWriting: AnswerWriting): Answer => {
  const handlers = proxyHandlers(host.ports);
  return async (request) => {
    const { path } = request;
    if (path.startsWith(DEV_PREFIX)) return answerDev(host, answerWriting, request);
    const derivedId = SIGNAL.exec(path)?.[1];
    if (derivedId !== undefined) {
      return handlers.signal({ ...request, pathParameters: { derived_id: derivedId } });
    }
    const serverId = METADATA.exec(path)?.[1];
    if (serverId !== undefined) {
      return handlers.metadata({ ...request, pathParameters: { server_id: serverId } });
    }
    const uploadId = UPLOAD_PATH.exec(path)?.[1];
    if (uploadId !== undefined) {
      return takeUpload(host.ports, host.database.uploads, uploadId, request);
    }
    return handlers.api({ ...request, pathParameters: {} });
  };
};

const proxyHandlers = (ports: Ports) => {
  const api = apiHandler(ports);
  const signal = signalHandler(ports);
  const metadata = metadataHandler(ports);
  type Request = Parameters<typeof proxyEvent>[0];
  return {
    api: (request: Request) => api(proxyEvent(request), lambdaContext("api", REQUEST_MS_MAX)),
    signal: (request: Request) =>
      signal(proxyEvent(request), lambdaContext("signal", REQUEST_MS_MAX)),
    metadata: (request: Request) =>
      metadata(proxyEvent(request), lambdaContext("metadata", REQUEST_MS_MAX)),
  };
};
