/**
 * The host's event source mapping: passes a queue's messages to a handler. It does not poll on a
 * timer. A send wakes it at once, and for a delayed message it sleeps exactly until that is due.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handler as checkHandler } from "#functions/check-resource/handler.ts";
import { handler as deadLetterHandler } from "#functions/dead-letter/handler.ts";
import { logger } from "#functions/logger.ts";
import { handler as prepareHandler } from "#functions/prepare-traversal/handler.ts";
import type { SqliteQueue } from "#lib/adapters/sqlite/queue.ts";
import { INLINE_REMAINING_MS_MIN, VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { settle } from "#lib/engine/message-work.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ReceivableQueue, ReceivedMessage } from "#lib/ports/queue.ts";
import { lambdaContext, sqsEvent } from "./lambda-events.ts";

const BATCH_MESSAGES_MAX = 10;
const VISIBILITY_MS = 360_000;
/**
 * Nothing can stop a handler in this process. After its limit, middy only reports a failure. The
 * message is then delivered again while the first handler still works on it. A prepare of a large
 * stack takes minutes on a busy machine. Two of them need twice the memory, and each sends all
 * visits. So the limit is high.
 */
const PREPARE_MS_MAX = 300_000;
/** Node's timers have 32 bits. Waking once an hour costs nothing. */
const SLEEP_MS_MAX = 3_600_000;
/**
 * If the process survives a message that long, the message is taken as harmless, because the others
 * must not wait longer. After each crash the time doubles, so a message is also found that crashes
 * the process only after some seconds.
 */
const ALONE_MS_MIN = 1_000;
/** The first delivery was not alone, so the second one has the shortest time. */
const aloneMs = (receiveCount: number): number => ALONE_MS_MIN * 2 ** (receiveCount - 2);
/** Providers may be slow, and many visits may have been running. The rest is handled as usual. */
const SUSPECTS_MS_MAX = 10_000;
const RETRY_MS = 1_000;

export interface QueuePoller {
  /**
   * Handles the messages that the former process was handling one by one, before all others. If the
   * process crashes again, the message that caused it is known.
   */
  handleSuspects(): Promise<void>;
  wake(): void;
  oldestStart(): number | null;
  stop(): Promise<void>;
}

interface PollerOptions {
  readonly queue: ReceivableQueue;
  readonly handler: QueueHandler;
  /** How many batches run at once. The last one never goes to a project that has all others. */
  readonly concurrency: number;
  readonly now: () => number;
}

/**
 * Retries while the storage is busy. An unsettled message would stay invisible until its timeout.
 */
const settleAtLast = async (
  source: SqliteQueue,
  batch: readonly ReceivedMessage[],
  failed: ReadonlySet<string>,
  isStopped: () => boolean,
): Promise<void> => {
  for (;;) {
    try {
      return await settle(source, batch, failed);
    } catch (error) {
      if (!(error instanceof RetryLater)) logger.error("messages were not settled", error);
      if (!(error instanceof RetryLater) || isStopped()) return;
      await pause(RETRY_MS);
    }
  }
};

/** Calls `pump` in rounds. Other work runs between two rounds, so no queue starves the others. */
const roundsOf = (queue: string, pump: () => void) => {
  let state: "waiting" | "going on" | "ended" = "waiting";
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  const wakeAfter = (ms: number): void => {
    timer = setTimeout(wake, ms);
  };
  const round = (): void => {
    scheduled = false;
    clearTimeout(timer);
    try {
      pump();
    } catch (error) {
      if (!(error instanceof RetryLater)) logger.error("a queue was not read", error, { queue });
      wakeAfter(RETRY_MS);
    }
  };
  const wake = (): void => {
    if (scheduled || state !== "going on") return;
    scheduled = true;
    setImmediate(round);
  };
  return {
    wake,
    wakeAfter,
    begin: (): void => {
      if (state === "waiting") state = "going on";
      wake();
    },
    end: (): void => {
      state = "ended";
      clearTimeout(timer);
    },
  };
};

export const startPoller = (source: SqliteQueue, options: PollerOptions): QueuePoller => {
  const { queue, handler, concurrency, now } = options;
  const limitMs = queue === "prepare" ? PREPARE_MS_MAX : VISIT_MS_MAX;
  const delivery = { queue, handler, limitMs };
  const inHand = new Map<readonly ReceivedMessage[], Promise<void>>();
  /** When the handler of each batch began, in the order of their starts. */
  const running = new Map<readonly ReceivedMessage[], number>();
  const ofOneMax = Math.max(1, concurrency - 1);
  const batchesOf = (wanted: string): number =>
    [...inHand.keys()].filter((batch) => batch.some(({ tenant }) => tenant === wanted)).length;
  const mayTake = (tenant: string): number =>
    Math.max(0, ofOneMax - batchesOf(tenant)) * BATCH_MESSAGES_MAX;
  let stopped = false;

  const finish = async (batch: readonly ReceivedMessage[], given = delivery): Promise<void> => {
    running.set(batch, now());
    const failed = await failures(given, batch);
    running.delete(batch);
    await settleAtLast(source, batch, failed, () => stopped);
  };

  const start = (batch: readonly ReceivedMessage[], given = delivery): Promise<void> => {
    const work = finish(batch, given).finally(() => {
      inHand.delete(batch);
      rounds.wake();
    });
    inHand.set(batch, work);
    return work;
  };

  const handleSuspects = async (): Promise<void> => {
    // The limit prevents the visit from continuing inline with another node. Otherwise that node
    // could be the cause of a crash.
    const alone =
      queue === "prepare" ? delivery : { ...delivery, limitMs: INLINE_REMAINING_MS_MIN };
    const end = performance.now() + SUSPECTS_MS_MAX;
    while (!stopped && performance.now() < end) {
      const suspect = source.receiveSuspect(queue, VISIBILITY_MS);
      if (suspect === null) return;
      const ms = Math.min(aloneMs(suspect.receiveCount), end - performance.now());
      await Promise.race([start([suspect], alone), pause(ms)]);
      source.clear(suspect.receiptHandle);
    }
  };

  const pump = (): void => {
    const free = stopped ? 0 : concurrency - inHand.size;
    // Receives everything that fits in one transaction, then cuts it into batches, as Lambda does.
    const messages =
      free === 0 ? [] : source.receive(queue, free * BATCH_MESSAGES_MAX, VISIBILITY_MS, mayTake);
    for (let at = 0; at < messages.length; at += BATCH_MESSAGES_MAX) {
      void start(messages.slice(at, at + BATCH_MESSAGES_MAX));
    }
    const next = stopped || inHand.size >= concurrency ? null : source.next([queue], mayTake);
    if (next === null) return;
    rounds.wakeAfter(Math.min(Math.max(next.visibleAt - now(), 0), SLEEP_MS_MAX));
  };
  const rounds = roundsOf(queue, pump);

  return {
    handleSuspects,
    wake: rounds.begin,
    oldestStart: () => [...running.values()][0] ?? null,
    stop: async () => {
      stopped = true;
      rounds.end();
      await Promise.all(inHand.values());
    },
  };
};

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** Passes a batch of received messages to a handler, as Lambda's event source mapping does. */
export const queueHandlers = (ports: Ports): Readonly<Record<ReceivableQueue, QueueHandler>> => {
  const check = checkHandler(ports);
  return {
    prepare: prepareHandler(ports),
    check,
    poll: check,
    "dead-letter": deadLetterHandler(ports),
  };
};

interface HandledQueue {
  readonly queue: ReceivableQueue;
  readonly handler: QueueHandler;
  readonly limitMs: number;
}

/**
 * Never throws.
 * @returns the ids of the messages that the handler has not handled
 */
export const failures = async (
  { queue, handler, limitMs }: HandledQueue,
  messages: readonly ReceivedMessage[],
): Promise<ReadonlySet<string>> => {
  try {
    const { batchItemFailures } = await handler(
      sqsEvent(queue, messages),
      lambdaContext(queue, limitMs),
    );
    return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  } catch {
    // As on AWS, a handler that throws has handled no message of its batch.
    return new Set(messages.map(({ messageId }) => messageId));
  }
};
