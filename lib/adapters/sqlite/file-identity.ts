/**
 * Checks that a path still leads to the file that was opened, because a deleted file still accepts
 * writes.
 */
import { statSync } from "node:fs";

export interface FileIdentity {
  change(): string | null;
}

const identityOf = (path: string): string | null => {
  const file = statSync(path, { throwIfNoEntry: false });
  return file ? `${file.dev}.${file.ino}` : null;
};

export const fileIdentity = (path: string): FileIdentity => {
  const opened = identityOf(path);
  return {
    change: () => {
      let found: string | null;
      try {
        found = identityOf(path);
      } catch {
        return `${path} cannot be reached any more`;
      }
      if (found === opened) return null;
      return `${path} ${found === null ? "has vanished" : "was replaced by another file"}`;
    },
  };
};
