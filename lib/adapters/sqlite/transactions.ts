/**
 * Group commit. A commit is SQLite's most expensive step, so concurrent pieces of work share one.
 * They run together in the next turn of the event loop, in one synchronous transaction, and each
 * caller gets its result after the commit. No transaction is open while the engine runs, so no
 * reader sees uncommitted data.
 */
import type { DatabaseSync } from "node:sqlite";
import { RetryLater } from "#lib/errors.ts";

type Transaction = <T>(work: () => T, flush: Flush) => T;

interface PendingWork {
  readonly flush: Flush;
  readonly perform: () => () => void;
  readonly fail: (error: unknown) => void;
}

const GROUP_PIECES_MAX = 1_000;

export const groupCommits = (
  atomically: Transaction,
): (<T>(work: () => T, flush?: Flush) => Promise<T>) => {
  let waiting: PendingWork[] = [];

  const commitAll = (): void => {
    const pieces = waiting;
    waiting = [];
    for (let at = 0; at < pieces.length; at += GROUP_PIECES_MAX) {
      commit(pieces.slice(at, at + GROUP_PIECES_MAX));
    }
  };

  /**
   * A failed group is rolled back and runs again piece by piece, so that one bad piece does not
   * fail the others.
   */
  const commit = (pieces: readonly PendingWork[]): void => {
    try {
      const flush = pieces.some((piece) => piece.flush === "now") ? "now" : "later";
      const answers = atomically(() => pieces.map((piece) => piece.perform()), flush);
      for (const answer of answers) answer();
    } catch (error) {
      const [only] = pieces;
      // The storage has failed for all pieces, so trying each of them would only repeat the wait.
      if (error instanceof RetryLater) for (const piece of pieces) piece.fail(error);
      else if (pieces.length === 1) only?.fail(error);
      else for (const piece of pieces) commit([piece]);
    }
  };

  return (work, flush = "now") =>
    new Promise((resolve, reject) => {
      // By the next turn of the event loop, every runnable caller has added its work. Requests,
      // timers and sockets are served before it, even if the engine is busy.
      if (waiting.length === 0) setImmediate(commitAll);
      waiting.push({
        flush,
        perform: () => {
          const result = work();
          return () => resolve(result);
        },
        fail: reject,
      });
    });
};

/**
 * `full`: the disk has a write before anything outside the file depends on it. `relaxed`: only
 * checkpoints flush the disk. Then the file is consistent after a power failure, but may be some
 * minutes old, and does not know what was done outside of it since.
 */
export const DURABILITIES = ["full", "relaxed"] as const;
export type Durability = (typeof DURABILITIES)[number];

/**
 * `now`: the commit returns when the disk has it and all earlier commits. `later`: nothing outside
 * the file depends on the transaction, so the next flush includes it. A power failure before that
 * flush undoes it and all later ones, as if the process had died before it.
 */
export type Flush = "now" | "later";

const LEVELS: Readonly<Record<Flush, string>> = { now: "FULL", later: "NORMAL" };

/**
 * Sets the connection for its next transaction, so it must not be called inside of one. SQLite
 * applies the pragma while it compiles the statement, so a cached statement would have no effect.
 */
export const flushSetting = (
  database: DatabaseSync,
  durability: Durability,
): ((flush: Flush) => void) => {
  let level = "";
  const set = (wanted: string): void => {
    if (wanted === level) return;
    database.exec(`PRAGMA synchronous = ${wanted}`);
    level = wanted;
  };
  // Without these settings, a flush on macOS does not reach the disk itself.
  if (durability === "full")
    database.exec("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  return (flush) => set(LEVELS[durability === "full" ? flush : "later"]);
};
