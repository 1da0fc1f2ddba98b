/**
 * The events of one stack in one batch of the stream become one compressed item, a page. So a
 * hundred events need five write units instead of a hundred.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import type { StackEvent } from "#lib/model/event.ts";
import { storedEvent } from "../../stored-event.ts";
import type { Item } from "../table.ts";
import { bytes, number } from "./attributes.ts";

/** The limit tells a listing when no earlier event can follow. */
export const PAGE_SPAN_MS_MAX = 60_000;
/** A page fits into an item even if compression does not shrink it. */
export const PAGE_CHARS_MAX = 60_000;

const page = z.object({ page: bytes, count: z.exactOptional(number) });
const events = z.array(storedEvent);

export const encodePage = (of: readonly StackEvent[]): Item =>
  z.encode(page, { page: deflateRawSync(JSON.stringify(of)), count: of.length });

export const decodePage = (item: Item): readonly StackEvent[] =>
  events.parse(parseJson(inflateRawSync(page.parse(item).page).toString("utf8")));

export const countOf = (item: Item): number => page.parse(item).count ?? decodePage(item).length;

const charsOf = (event: StackEvent): number => JSON.stringify(event).length;

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
