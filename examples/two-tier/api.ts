/** The demo's view of the API. Every answer is kept, and searched for secrets at the end. */
import { z } from "zod";
import { failureCode } from "#client/unanswered.ts";
import {
  EventsAnswer,
  ResourcesAnswer,
  StackAnswer,
  StacksAnswer,
  type WireEvent,
} from "#client/wire.ts";
import { present } from "#lib/errors.ts";
import { until } from "./until.ts";

/** The limit of API Gateway is 29 seconds. */
const ANSWER_MS_MAX = 35_000;
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];
const SHOWN_CHARS_MAX = 300;

export interface Address {
  readonly endpoint: string;
  readonly project: string;
  readonly token?: string | undefined;
  readonly stack: string;
}

const RowsAnswer = z.object({
  rows: z.array(z.unknown()),
  leftovers: z.object({ sync_points: z.number(), locks: z.number() }),
});
const ObjectsAnswer = z.object({ resources: z.array(z.unknown()) });
const MessagesAnswer = z.object({ queues: z.record(z.string(), z.object({ count: z.number() })) });
const CountersAnswer = z.object({ counters: z.record(z.string(), z.number()) });
export type Counters = z.infer<typeof CountersAnswer>["counters"];

export interface Api {
  /**
   * @returns null until the stack exists. Later requests use its id, which also finds a deleted
   * stack.
   */
  findStack(): Promise<string | null>;
  stackStatus(): Promise<string>;
  events(resourceName?: string): Promise<readonly WireEvent[]>;
  resourceStates(): Promise<ReadonlyMap<string, string>>;
  /** @returns null while the output cannot be resolved. */
  output(key: string): Promise<string | null>;
  /** Counts what the host still stores for this stack, by kind. Only the embedded host answers. */
  leftovers(): Promise<Readonly<Record<string, number>>>;
  counters(): Promise<Counters>;
  readEverything(): Promise<void>;
  readonly answers: readonly string[];
}

interface Reader {
  readonly answers: readonly string[];
  text(path: string): Promise<string>;
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>>;
}

const openReader = ({ endpoint, token }: Address): Reader => {
  const answers: string[] = [];
  const send = async (path: string): Promise<Response> => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const headers = token ? { "X-Auth-Token": token } : {};
    try {
      return await fetch(`${endpoint}${path}`, { headers, signal });
    } catch (error) {
      throw new Error(`no answer from ${endpoint}: ${failureCode(error)}`, { cause: error });
    }
  };
  const text = async (path: string): Promise<string> => {
    const response = await until(`an answer to ${path}`, async () => {
      const answered = await send(path);
      if (!GATEWAY_STATUSES.includes(answered.status)) return answered;
      await answered.body?.cancel();
      return null;
    });
    const answer = await response.text();
    answers.push(answer);
    // A refusal holds no secret either, so it must not count as a searched answer.
    if (response.ok) return answer;
    const shown = answer.slice(0, SHOWN_CHARS_MAX);
    throw new Error(`${endpoint}${path} answered ${response.status}: ${shown}`);
  };
  return {
    answers,
    text,
    get: async (path, shape) => shape.parse(JSON.parse(await text(path))),
  };
};

export const openApi = (address: Address): Api => {
  const reader = openReader(address);
  const { answers, get, text } = reader;
  const { stack: name } = address;
  const stacksPath = `/v1/${encodeURIComponent(address.project)}/stacks`;
  const known: { id?: string } = {};
  const stackPath = (below: string): string =>
    `${stacksPath}/${name}/${present(known.id, "the stack's id")}${below}`;
  const stack = async () => (await get(stackPath(""), StackAnswer)).stack;
  const resources = async () => (await get(stackPath("/resources"), ResourcesAnswer)).resources;

  return {
    answers,
    findStack: async () => {
      const { stacks } = await get(stacksPath, StacksAnswer);
      const id = stacks.find(({ stack_name }) => stack_name === name)?.id;
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
    leftovers: () => countLeftovers(reader, name),
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
      for (const { resource_name: resource } of await resources()) {
        await text(stackPath(`/resources/${resource}`));
        await text(stackPath(`/resources/${resource}/metadata`));
      }
      await text(stacksPath);
    },
  };
};

const countLeftovers = async (
  { get }: Reader,
  stack: string,
): Promise<Readonly<Record<string, number>>> => {
  const { rows, leftovers } = await get(`/_dev/rows?stack_name=${stack}`, RowsAnswer);
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
