/**
 * Group commit: a commit is the dearest thing that SQLite does, so pieces of work that are asked for at
 * the same time share one. Each stays atomic and durable before it is answered: nothing is carried out
 * when it is asked for, but all together, in one synchronous transaction, at the next turn of the event
 * loop. So no transaction is ever open while the engine runs, and no reader sees what may not last.
 */

type Atomically = <T>(work: () => T) => T;

interface Piece {
  /** Carries the work out; answers what tells its caller. */
  readonly perform: () => () => void;
  readonly fail: (error: unknown) => void;
}

/** How many share a transaction at most: some tens of milliseconds of work. */
const GROUP_PIECES_MAX = 1_000;

export const groupCommits = (atomically: Atomically): (<T>(work: () => T) => Promise<T>) => {
  let waiting: Piece[] = [];

  const commitAll = (): void => {
    const pieces = waiting;
    waiting = [];
    for (let at = 0; at < pieces.length; at += GROUP_PIECES_MAX) {
      commit(pieces.slice(at, at + GROUP_PIECES_MAX));
    }
  };

  /** A group that fails is undone as a whole and carried out piece by piece: one bad piece harms no other. */
  const commit = (pieces: readonly Piece[]): void => {
    try {
      const answers = atomically(() => pieces.map((piece) => piece.perform()));
      for (const answer of answers) answer();
    } catch (error) {
      const [only] = pieces;
      if (pieces.length === 1) only?.fail(error);
      else for (const piece of pieces) commit([piece]);
    }
  };

  return (work) =>
    new Promise((resolve, reject) => {
      // By the next turn of the event loop everybody who can go on has said what to write. And requests,
      // timers and sockets get their turn before it, however busy the engine is.
      if (waiting.length === 0) setImmediate(commitAll);
      waiting.push({
        perform: () => {
          const result = work();
          return () => resolve(result);
        },
        fail: reject,
      });
    });
};
