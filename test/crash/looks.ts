import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";

export const STACK_NAME = "crash";
const TRIES_MAX = 5;
const LOOK_MS = 100;

const Objects = z.object({
  resources: z.array(
    z.object({
      physical_id: z.string(),
      stack_name: z.string(),
      logical_name: z.string(),
      properties: z.record(z.string(), z.unknown()),
    }),
  ),
});
const Rows = z.object({
  rows: z.array(
    z.object({
      uuid: z.string(),
      name: z.string(),
      physical_id: z.string().nullable(),
      action: z.string(),
      status: z.string(),
      requires: z.array(z.string()),
      template_id: z.string().nullable(),
      version: z.number(),
      locked_by: z.string().nullable(),
    }),
  ),
  leftovers: z.object({ sync_points: z.number(), locks: z.number() }),
});
const Messages = z.object({ queues: z.record(z.string(), z.object({ count: z.number() })) });

export type ProviderObject = z.infer<typeof Objects>["resources"][number];
export type RowsView = z.infer<typeof Rows>;
export type Row = RowsView["rows"][number];

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** A kept-alive connection to a killed host fails only when it is used, so reads are retried. */
const read = async <Shape extends z.ZodType>(
  url: string,
  shape: Shape,
): Promise<z.infer<Shape>> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(url);
      return shape.parse(await response.json());
    } catch (error) {
      if (tries === TRIES_MAX || !(error instanceof TypeError)) throw error;
      await pause(LOOK_MS);
    }
  }
};

export const readObjects = async (url: string): Promise<readonly ProviderObject[]> =>
  (await read(`${url}/_dev/resources`, Objects)).resources;

export const readRows = (url: string): Promise<RowsView> =>
  read(`${url}/_dev/rows?stack_name=${STACK_NAME}`, Rows);

export const countMessages = async (url: string, pollsLeft: number): Promise<number> => {
  const { queues } = await read(`${url}/_dev/messages`, Messages);
  return Object.entries(queues).reduce(
    (sum, [queue, { count }]) => sum + Math.max(0, count - (queue === "poll" ? pollsLeft : 0)),
    0,
  );
};

const Sequence = z.object({ seq: z.number() });

export const countCreations = (folder: string): number => {
  const database = new DatabaseSync(join(folder, FAKE_PROVIDER_FILE), { readOnly: true });
  try {
    const row = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'objects'").get();
    return row === undefined ? 0 : Sequence.parse(row).seq;
  } finally {
    database.close();
  }
};

export const eventually = async <T>(
  what: string,
  msMax: number,
  look: () => Promise<T | null>,
): Promise<T> => {
  const giveUpAt = performance.now() + msMax;
  while (performance.now() < giveUpAt) {
    const answer = await look();
    if (answer !== null) return answer;
    await pause(LOOK_MS);
  }
  throw new Error(`after ${msMax / 1_000} s still not: ${what}`);
};
