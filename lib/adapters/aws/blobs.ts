import { BLOB_KEYS_MAX, type Blobs } from "#lib/ports/blobs.ts";
import type { Objects } from "./objects.ts";

const FOLDER = "blobs/";
const keyOf = (key: string): string => FOLDER + key;

export const s3Blobs = (objects: Objects): Blobs => ({
  put: (key, text) =>
    objects.putIfAbsent(keyOf(key), Buffer.from(text), "text/plain; charset=utf-8"),
  get: async (key) => {
    const bytes = await objects.get(keyOf(key));
    return bytes && Buffer.from(bytes).toString("utf8");
  },
  delete: (key) => objects.delete(keyOf(key)),
  list: async (prefix) =>
    (await objects.list(keyOf(prefix), BLOB_KEYS_MAX)).map((key) => key.slice(FOLDER.length)),
});
