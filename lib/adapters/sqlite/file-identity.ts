/** Tells whether a path still leads to the file that was opened. A deleted file takes writes. */
import { statSync } from "node:fs";

export interface FileIdentity {
  /** What has happened to the file, in a sentence. Null: nothing. */
  change(): string | null;
}

const identityOf = (path: string): string | null => {
  const file = statSync(path, { throwIfNoEntry: false });
  return file ? `${file.dev}.${file.ino}` : null;
};

/** `path` must exist. */
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
