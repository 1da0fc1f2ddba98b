import * as z from "zod/mini";
import { groupSourceSchema } from "#lib/groups/record.ts";
import { parseJson } from "#lib/json.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Blobs } from "#lib/ports/ports.ts";

export interface BlobWatcher {
  templateDeleted(stackId: string): void;
  groupStored(templateId: string, group: GroupSource): void;
}

const TEMPLATE = /^template\/([^/]+)\/(.+)$/;
const sourceSchema = z.object({ group: z.optional(groupSourceSchema) });

/** The cipher of the memory ports leaves its texts readable. */
export const groupIn = (sealed: string): GroupSource | undefined =>
  sealed.includes('"group":{')
    ? sourceSchema.parse(parseJson(sealed.slice(sealed.indexOf("{")))).group
    : undefined;

export const watchedBlobs = (blobs: Blobs, watcher: BlobWatcher): Blobs => ({
  ...blobs,
  put: async (key, text) => {
    const put = await blobs.put(key, text);
    const [, , templateId] = TEMPLATE.exec(key) ?? [];
    const group = templateId === undefined || put === "exists" ? undefined : groupIn(text);
    if (templateId !== undefined && group !== undefined) watcher.groupStored(templateId, group);
    return put;
  },
  delete: async (key) => {
    await blobs.delete(key);
    const [, stackId] = TEMPLATE.exec(key) ?? [];
    if (stackId !== undefined) watcher.templateDeleted(stackId);
  },
});
