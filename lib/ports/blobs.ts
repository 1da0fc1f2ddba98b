/** Immutable texts by key, such as template records, signal bodies and wait log entries. */
export interface Blobs {
  put(key: string, text: string): Promise<"stored" | "exists">;
  get(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
  list(prefix: string): Promise<readonly string[]>;
}

export const BLOB_KEYS_MAX = 1_000;
