import type { Change, SequencedChange } from "#lib/model/change.ts";

export interface MemoryChangeFeed {
  /** Oldest first. The store's owner may take changes out of it. */
  readonly changes: SequencedChange[];
  /** Null adds nothing. */
  add(change: Change | null): void;
}

export const memoryChangeFeed = (): MemoryChangeFeed => {
  const changes: SequencedChange[] = [];
  let added = 0;
  return {
    changes,
    add: (change) => {
      if (change) changes.push({ sequence: ++added, ...change });
    },
  };
};
