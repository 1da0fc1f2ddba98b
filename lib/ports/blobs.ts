/** Immutable byte strings by key (S3, or a table): templates with their files, and signal bodies. */
export interface Blobs {
  /** Put if absent (S3 `If-None-Match: *`). */
  put(key: string, text: string): Promise<"stored" | "exists">;
  get(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
}
