export interface Blobs {
  put(key: string, text: string): Promise<"stored" | "exists">;
  get(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
  list(prefix: string): Promise<readonly string[]>;
}

export const BLOB_KEYS_MAX = 1_000;
