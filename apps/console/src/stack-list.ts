import * as z from "zod";
import type { Client } from "#client/client.ts";
import { StackShape } from "#client/wire.ts";
import type { Hint } from "./live.ts";
import { Progress, type Tone, toneOf } from "./status.ts";

const PAGE_STACKS = 1_000;
/** For more stacks the whole list is read again, because each id is a part of the URL. */
const STACKS_ASKED_MAX = 50;

const Row = StackShape.extend({
  tags: z.array(z.string()).nullish(),
  progress: Progress.optional(),
});
export type StackRow = z.infer<typeof Row>;
const Answer = z.looseObject({ stacks: z.array(Row) });

const readPage = async (client: Client, query: string): Promise<readonly StackRow[]> =>
  (await client.request("GET", `/stacks?${query}&with_progress=true`, Answer)).stacks;

const readAll = async (client: Client): Promise<readonly StackRow[]> => {
  const all: StackRow[] = [];
  for (let marker: string | undefined = ""; marker !== undefined; ) {
    const after: string = marker === "" ? "" : `&marker=${encodeURIComponent(marker)}`;
    const page = await readPage(client, `limit=${PAGE_STACKS}${after}`);
    all.push(...page);
    marker = page.length === PAGE_STACKS ? page.at(-1)?.id : undefined;
  }
  return all;
};

const merged = (
  known: readonly StackRow[],
  asked: readonly string[],
  found: readonly StackRow[],
): readonly StackRow[] => {
  const fresh = new Map(found.map((row) => [row.id, row]));
  const gone = new Set(asked.filter((id) => !fresh.has(id)));
  const kept = known.flatMap((row) => (gone.has(row.id) ? [] : [fresh.get(row.id) ?? row]));
  const ids = new Set(kept.map(({ id }) => id));
  return [...found.filter(({ id }) => !ids.has(id)), ...kept];
};

export const readStacks = async (
  client: Client,
  known: readonly StackRow[] | null,
  hint: Hint,
): Promise<readonly StackRow[]> => {
  if (known === null || hint === "all" || hint.length > STACKS_ASKED_MAX) return readAll(client);
  if (hint.length === 0) return known;
  const query = hint.map((id) => `id=${encodeURIComponent(id)}`).join("&");
  return merged(known, hint, await readPage(client, query));
};

export interface StackFilter {
  readonly text: string;
  readonly tone: Tone | null;
  readonly tag: string | null;
}

export const matching = (
  rows: readonly StackRow[],
  { text, tone, tag }: StackFilter,
): readonly StackRow[] => {
  const wanted = text.trim().toLowerCase();
  const holds = (value: string): boolean => value.toLowerCase().includes(wanted);
  return rows.filter(
    (row) =>
      (tone === null || toneOf(row.stack_status) === tone) &&
      (tag === null || (row.tags ?? []).includes(tag)) &&
      (wanted === "" ||
        holds(row.stack_name) ||
        row.id.startsWith(wanted) ||
        (row.tags ?? []).some(holds)),
  );
};

export const tagsOf = (rows: readonly StackRow[]): readonly string[] =>
  [...new Set(rows.flatMap(({ tags }) => tags ?? []))].toSorted();
