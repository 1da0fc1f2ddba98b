/**
 * The host's event source mapping: feeds a handler from a queue. It does not poll on a timer. A
 * send wakes it at once, and for a delayed message it sleeps exactly until that is due.
 */
import { logger } from "#functions/logger.ts";
import type { SqliteQueue } from "#lib/adapters/sqlite/queue.ts";
import { INLINE_REMAINING_MS_MIN, VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { settle } from "#lib/engine/settle.ts";
import { RetryLater } from "#lib/errors.ts";
import type { ReceivableQueue, ReceivedMessage } from "#lib/ports/receiving-queue.ts";
import { failures, type QueueHandler } from "./deliver.ts";

const BATCH_MESSAGES_MAX = 10;
const VISIBILITY_MS = 360_000;
/**
 * Nothing stops a handler of this process. After its time middy only says that it has failed. Then
 * its message comes again, and the handler works on beside the next one. A prepare of a large stack
 * takes minutes on a busy machine. Two have twice its rows and its graph in memory, and each sends
 * all visits.
 */
const PREPARE_MS_MAX = 300_000;
/** Node's timers are 32 bits wide. Waking once an hour for nothing costs nothing. */
const SLEEP_MS_MAX = 3_600_000;
/**
 * A message that is handled alone for so long lets the process live, and the others must not wait
 * longer. After each end the next try takes twice the time, so that a message is also found that
 * ends the process after some seconds.
 */
const ALONE_MS_MIN = 1_000;
/** The first delivery was not alone. */
const aloneMs = (receiveCount: number): number => ALONE_MS_MIN * 2 ** (receiveCount - 2);
/** Providers may be slow, and many of their visits were in hand. The rest is handled as usual. */
const SUSPECTS_MS_MAX = 10_000;
/** After a fault of the storage. */
const RETRY_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface QueuePoller {
  /**
   * Handles the messages that the former process had in hand one by one, before all others. So if
   * the process ends again, one of them alone is to blame.
   */
  handleSuspects(): Promise<void>;
  /** From now on it takes messages. */
  wake(): void;
  /** When the oldest batch whose handler still runs began. Null: none runs. */
  oldestStart(): number | null;
  /** Takes no more messages. Resolves when the current ones are done. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  readonly queue: ReceivableQueue;
  readonly handler: QueueHandler;
  /** How many batches run at once. The last one is never of a project that has all others. */
  readonly concurrency: number;
  /** The queue's clock. */
  readonly now: () => number;
}

/** Without its end a message would stay invisible, so a busy storage is asked again. */
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

/** Calls `pump` in rounds. Between two the event loop has its turn, so no queue starves others. */
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
  /** The batches whose handler runs, in the order of their starts, and when each began. */
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
    // Its visit goes on to no other node, or that node could be to blame.
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
    // Takes all that fit in one transaction, then cuts them into batches, as Lambda does.
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
