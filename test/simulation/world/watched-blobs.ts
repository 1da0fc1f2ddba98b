/** The blobs of a simulated world. A watcher hears which stack has lost a template record. */
import type { Blobs } from "#lib/ports/blobs.ts";

const TEMPLATE = /^template\/([^/]+)\//;

export const watchedBlobs = (blobs: Blobs, templateDeleted: (stackId: string) => void): Blobs => ({
  ...blobs,
  delete: async (key) => {
    await blobs.delete(key);
    const [, stackId] = TEMPLATE.exec(key) ?? [];
    if (stackId !== undefined) templateDeleted(stackId);
  },
});
