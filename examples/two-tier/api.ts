/** The host's API as the demo reads it: every answer is kept, to be looked through at the end. */
import { z } from "zod";
import { present } from "#lib/errors.ts";
import {
  EventsAnswer,
  ResourcesAnswer,
  StackAnswer,
  type StackEvent,
  StacksAnswer,
} from "../../cli/wire.ts";

const ANSWER_MS_MAX = 10_000;

export const PROJECT = "demo";
export const STACK = "two-tier";

const RowsAnswer = z.object({
  rows: z.array(z.unknown()),
  leftovers: z.object({ sync_points: z.number(), locks: z.number() }),
});
const ObjectsAnswer = z.object({ resources: z.array(z.unknown()) });
const MessagesAnswer = z.object({ queues: z.record(z.string(), z.object({ count: z.number() })) });
const CountersAnswer = z.object({ counters: z.record(z.string(), z.number()) });
export type Counters = z.infer<typeof CountersAnswer>["counters"];

export interface Api {
  /** Null until there is one. From then on it is asked for by its id, which works when it is deleted too. */
  findStack(): Promise<string | null>;
  stackStatus(): Promise<string>;
  /** Oldest first; those of one resource where one is named. */
  events(resourceName?: string): Promise<readonly StackEvent[]>;
  resourceStates(): Promise<ReadonlyMap<string, string>>;
  /** An output's value, null while it cannot be resolved. */
  output(key: string): Promise<string | null>;
  /** What the host holds for this stack, counted by kind. */
  leftovers(): Promise<Readonly<Record<string, number>>>;
  counters(): Promise<Counters>;
  /** Asks for everything that the API shows of the stack, for the sake of the kept answers. */
  readEverything(): Promise<void>;
  /** Every answer so far, as it came. */
  readonly answers: readonly string[];
}

interface Reader {
  readonly answers: readonly string[];
  text(path: string): Promise<string>;
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>>;
}

const openReader = (endpoint: string): Reader => {
  const answers: string[] = [];
  const text = async (path: string): Promise<string> => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const response = await fetch(`${endpoint}${path}`, { signal });
    const answer = await response.text();
    answers.push(answer);
    return answer;
  };
  return {
    answers,
    text,
    get: async (path, shape) => shape.parse(JSON.parse(await text(path))),
  };
};

/** `endpoint` never changes: the host comes back on the same port. */
export const openApi = (endpoint: string): Api => {
  const reader = openReader(endpoint);
  const { answers, get, text } = reader;
  const stacksPath = `/v1/${PROJECT}/stacks`;
  const known: { id?: string } = {};
  const stackPath = (below: string): string =>
    `${stacksPath}/${STACK}/${present(known.id, "the stack's id")}${below}`;
  const stack = async () => (await get(stackPath(""), StackAnswer)).stack;
  const resources = async () => (await get(stackPath("/resources"), ResourcesAnswer)).resources;

  return {
    answers,
    findStack: async () => {
      const { stacks } = await get(stacksPath, StacksAnswer);
      const id = stacks.find(({ stack_name }) => stack_name === STACK)?.id;
      if (id !== undefined) known.id = id;
      return id ?? null;
    },
    stackStatus: async () => (await stack()).stack_status,
    events: async (resourceName) => {
      const filter = resourceName === undefined ? "" : `&resource_name=${resourceName}`;
      return (await get(stackPath(`/events?sort_dir=asc${filter}`), EventsAnswer)).events;
    },
    resourceStates: async () =>
      new Map((await resources()).map((row) => [row.resource_name, row.resource_status])),
    output: async (key) => {
      const found = (await stack()).outputs?.find(({ output_key }) => output_key === key);
      return typeof found?.output_value === "string" ? found.output_value : null;
    },
    leftovers: () => countLeftovers(reader),
    counters: async () => (await get("/_dev/counters", CountersAnswer)).counters,
    readEverything: async () => {
      const pages = [
        "",
        "/resources",
        "/events",
        "/outputs",
        "/template",
        "/environment",
        "/files",
      ];
      for (const page of pages) await text(stackPath(page));
      for (const { resource_name: name } of await resources()) {
        await text(stackPath(`/resources/${name}`));
        await text(stackPath(`/resources/${name}/metadata`));
      }
      await text(stacksPath);
    },
  };
};

const countLeftovers = async ({ get }: Reader): Promise<Readonly<Record<string, number>>> => {
  const { rows, leftovers } = await get(`/_dev/rows?stack_name=${STACK}`, RowsAnswer);
  const objects = await get("/_dev/resources", ObjectsAnswer);
  const { queues } = await get("/_dev/messages", MessagesAnswer);
  const counts = Object.values(queues).map(({ count }) => count);
  return {
    rows: rows.length,
    "sync points of a running traversal": leftovers.sync_points,
    "leases and operations": leftovers.locks,
    messages: counts.reduce((sum, count) => sum + count, 0),
    "provider objects": objects.resources.length,
  };
};
