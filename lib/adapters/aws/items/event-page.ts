/**
 * Events lie in pages: those that one batch of the stream brings for one stack are one compressed item,
 * since a hundred events take five write units together and a hundred apart.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { STATUSES } from "#lib/model/action.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Item } from "../table.ts";
import { bytes } from "./attributes.ts";

/** No page spans more time than this, so that a listing knows when no earlier event can come. */
export const PAGE_SPAN_MS_MAX = 60_000;
/** Reasons have up to 8,192 characters: a page that does not shrink at all is still an item. */
export const PAGE_CHARS_MAX = 60_000;

const page = z.object({ page: bytes });
const events = z.array(
  z.object({
    id: z.string(),
    tenant: z.string(),
    stackId: z.string(),
    time: z.number(),
    resourceName: z.string(),
    resourceType: z.string(),
    physicalResourceId: z.string(),
    resourceId: z.exactOptional(z.string()),
    resourceAction: z.string(),
    resourceStatus: z.enum(STATUSES),
    reason: z.string(),
  }),
);

export const encodePage = (of: readonly StackEvent[]): Item =>
  z.encode(page, { page: deflateRawSync(JSON.stringify(of)) });

export const decodePage = (item: Item): readonly StackEvent[] =>
  events.parse(JSON.parse(inflateRawSync(page.parse(item).page).toString("utf8")));

const charsOf = (event: StackEvent): number => JSON.stringify(event).length;

/** Cut so that each page is small and short in time; `ordered` by time. */
export const pagesOf = (ordered: readonly StackEvent[]): readonly (readonly StackEvent[])[] => {
  const pages: StackEvent[][] = [];
  let chars = 0;
  for (const event of ordered) {
    const current = pages.at(-1);
    const first = current?.[0];
    const fits =
      first !== undefined &&
      event.time - first.time < PAGE_SPAN_MS_MAX &&
      chars + charsOf(event) <= PAGE_CHARS_MAX;
    if (current && fits) current.push(event);
    else pages.push([event]);
    chars = (fits ? chars : 0) + charsOf(event);
  }
  return pages;
};
