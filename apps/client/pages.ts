/** Reads lists in pages, because long ones do not fit into an answer of Lambda. */

import type { z } from "zod";
import type { ResourcesAnswer, WireResource } from "./wire.ts";

/** Of events, and of stacks. */
export const PAGE_ENTRIES_MAX = 1_000;

export const readAllPages = async <Entry extends { readonly id: string }>(
  read: (marker: string | null) => Promise<readonly Entry[]>,
  marker: string | null = null,
): Promise<Entry[]> => {
  const all: Entry[] = [];
  for (let from = marker; ; ) {
    const page = await read(from);
    all.push(...page);
    const last = page.at(-1)?.id ?? null;
    // A server that ignores the marker sends the same page again.
    if (page.length < PAGE_ENTRIES_MAX || last === from) return all;
    from = last;
  }
};

/** Reads resources in pages: those of a large tree do not fit into an answer of Lambda. */
export const PAGE_RESOURCES_MAX = 1_000;

const nextOf = ({ links }: z.infer<typeof ResourcesAnswer>): string | null => {
  const next = links.find(({ rel }) => rel === "next")?.href ?? null;
  const marker = next === null ? null : new URL(next).searchParams.get("marker");
  return marker === null ? null : `&marker=${encodeURIComponent(marker)}`;
};

export const readAllResources = async (
  read: (next: string) => Promise<z.infer<typeof ResourcesAnswer>>,
): Promise<WireResource[]> => {
  const all: WireResource[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: z.infer<typeof ResourcesAnswer> = await read(next);
    all.push(...page.resources);
    next = nextOf(page);
  }
  return all;
};
