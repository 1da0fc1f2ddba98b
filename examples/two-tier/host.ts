/** The embedded host as the demo sees it: a process that can be killed and started again, and an API whose every answer is kept. */
import { z } from "zod";
import { present } from "#lib/errors.ts";
import {
  EventsAnswer,
  ResourcesAnswer,
  StackAnswer,
  type StackEvent,
  StacksAnswer,
} from "../../cli/wire.ts";
import type { Processes, RunningProcess } from "./processes.ts";
import { until } from "./until.ts";

const READY = /^Hearth is listening on (http:\/\/127\.0\.0\.1:(\d+))$/;
const ANSWER_MS_MAX = 10_000;

export const PROJECT = "demo";
export const STACK = "two-tier";

export interface RunningHost {
  readonly url: string;
  readonly port: string;
  readonly process: RunningProcess;
}

/** Port "0" takes a free one. */
export const startHost = async (
  processes: Processes,
  data: string,
  port: string,
): Promise<RunningHost> => {
  const started = processes.start({
    name: "host",
    program: "cli/hearth.ts",
    args: ["serve", "--port", port, "--data", data],
    // Its log is looked through for secrets, so it must not be silenced from outside.
    environment: { ...process.env, HEARTH_LOG: "info" },
    show: (line) => (READY.test(line) ? line : null),
  });
  const gone = started.ended.then((end): never => {
    throw new Error(`the host has ended with ${end}: ${started.lines.at(-1) ?? "no word"}`);
  });
  const ready = until("the host", () => {
    const [, url, boundPort] = started.lines.map((line) => READY.exec(line)).find(Boolean) ?? [];
    return url === undefined || boundPort === undefined ? null : { url, port: boundPort };
  });
  // The host's end is told only to whoever waits for its beginning.
  gone.catch(() => undefined);
  return { ...(await Promise.race([ready, gone])), process: started };
};

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

/** `endpoint` never changes: the host comes back on the same port. */
export const openApi = (endpoint: string): Api => {
  const answers: string[] = [];
  const getText = async (path: string): Promise<string> => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const response = await fetch(`${endpoint}${path}`, { signal });
    const text = await response.text();
    answers.push(text);
    return text;
  };
  const get = async <Shape extends z.ZodType>(
    path: string,
    shape: Shape,
  ): Promise<z.infer<Shape>> => {
    const text = await getText(path);
    return shape.parse(JSON.parse(text));
  };
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
    leftovers: async () => {
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
    },
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
      for (const page of pages) await getText(stackPath(page));
      for (const { resource_name: name } of await resources()) {
        await getText(stackPath(`/resources/${name}`));
        await getText(stackPath(`/resources/${name}/metadata`));
      }
      await getText(stacksPath);
    },
  };
};
