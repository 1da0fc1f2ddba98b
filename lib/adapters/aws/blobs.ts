import { BLOB_KEYS_MAX, type Blobs } from "#lib/ports/ports.ts";
import type { Objects } from "./objects.ts";

const FOLDER = "blobs/";
const blobKey = (key: string): string => FOLDER + key;

export const s3Blobs = (objects: Objects): Blobs => ({
  put: (key, text) =>
    objects.putIfAbsent(blobKey(key), Buffer.from(text), "text/plain; charset=utf-8"),
  get: async (key) => {
    const bytes = await objects.get(blobKey(key));
    return bytes && Buffer.from(bytes).toString("utf8");
  },
  delete: (key) => objects.delete(blobKey(key)),
  list: async (prefix) =>
    (await objects.list(blobKey(prefix), BLOB_KEYS_MAX)).map((key) => key.slice(FOLDER.length)),
});
