/** Immutable texts by key (S3, or a table): template records, signal bodies, wait log entries. */
export interface Blobs {
  /** Put if absent (S3 `If-None-Match: *`). */
  put(key: string, text: string): Promise<"stored" | "exists">;
  get(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
  /** The first BLOB_KEYS_MAX keys that start with `prefix`, in order. */
  list(prefix: string): Promise<readonly string[]>;
}

export const BLOB_KEYS_MAX = 1_000;
