import type { Change, ResourceChange, StackRowChange } from "../change-images.ts";

export interface MemoryChangeFeed {
  /** Oldest first; the owner may draw from it. */
  readonly changes: Change[];
  /** Null is no news. */
  tell(change: ResourceChange | StackRowChange | null): void;
}

export const memoryChangeFeed = (): MemoryChangeFeed => {
  const changes: Change[] = [];
  let told = 0;
  return {
    changes,
    tell: (change) => {
      if (change) changes.push({ sequence: ++told, ...change });
    },
  };
};
