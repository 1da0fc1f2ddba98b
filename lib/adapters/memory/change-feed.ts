import type { Change, SequencedChange } from "#lib/model/event.ts";

export interface MemoryChangeFeed {
  readonly changes: SequencedChange[];
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
