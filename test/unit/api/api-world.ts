/** An engine on memory ports behind its API. `settle` delivers messages until none is left. */
import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue } from "#lib/adapters/memory/queue.ts";
import {
  memoryCipher,
  memoryIds,
  memoryRandom,
  memorySigner,
} from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import type { ApiResponse } from "#lib/api/http.ts";
import type { Query } from "#lib/api/query.ts";
import { route } from "#lib/api/route.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { resourceEvent, stackEvents } from "#lib/engine/events/project-events.ts";
import { writeEvents } from "#lib/engine/events/write-events.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import { type ProvidedTypes, resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { undocumented } from "./documented.ts";

export const PUBLIC_URL = "http://hearth.test";
export const SETTINGS = { revision: "tested" };
const STEPS_MAX = 10_000;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const queryOf = (search: string): Query => {
  const params = new URLSearchParams(search);
  return Object.fromEntries([...new Set(params.keys())].map((key) => [key, params.getAll(key)]));
};

type Extend = (types: ResourceTypes) => ResourceTypes;

const hearths: Extend = (types) => types;

const openPorts = (extend: Extend, provided: ProvidedTypes | undefined, seed: number) => {
  const clock = memoryClock();
  const store = memoryStore();
  const queue = memoryQueue(clock);
  const blobs = memoryBlobs();
  const fakeProvider = memoryFakeProvider(clock);
  const unbound: Omit<Ports, "resourceTypes"> = {
    store,
    softwareConfigs: memorySoftwareConfigStore(),
    queue,
    blobs,
    uploads: memoryUploads(),
    clock,
    ids: memoryIds(seed),
    signer: memorySigner(),
    cipher: memoryCipher(),
    publicUrl: PUBLIC_URL,
    retention: retentionOf(),
  };
  const ports = withResourceTypes(unbound, (engine) =>
    extend(resourceTypes({ engine, random: memoryRandom(1), fakeProvider }, provided)),
  );
  return { ports, store, clock, queue, blobs, fakeProvider };
};

/** `extend` adds types to the registry or replaces it. Another seed gives other ids. */
export const openWorld = (extend: Extend = hearths, provided?: ProvidedTypes, seed = 1) => {
  const { ports, store, clock, queue, blobs, fakeProvider } = openPorts(extend, provided, seed);
  const unexpected: unknown[] = [];

  const ask = async (method: string, url: string, body?: Json | string): Promise<ApiResponse> => {
    const relative = url.startsWith(PUBLIC_URL) ? url.slice(PUBLIC_URL.length) : url;
    const [path = "", search = ""] = relative.split("?");
    const full = path.startsWith("/v1/") || path === "/" ? path : `/v1/demo${path}`;
    const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
    const request = { method, path: full, query: queryOf(search), body: text };
    const answer = await route(ports, SETTINGS, request, (error) => unexpected.push(error));
    const fault = undocumented(method, full, answer);
    if (fault !== null) throw new Error(fault);
    return answer;
  };
  const send = async (method: string, url: string, body?: Json | string): Promise<Answer> => {
    const response = await ask(method, url, body);
    const answered: Json = response.body === null ? null : JSON.parse(response.body);
    return { status: response.status, headers: response.headers, body: answered };
  };
  const read = (url: string): Promise<ApiResponse> => ask("GET", url);

  const projectEvents = async (): Promise<void> => {
    for (const change of store.changes.splice(0)) {
      const time = clock.now();
      const events =
        change.table === "stacks"
          ? stackEvents(ports.ids, { ...change, time })
          : [resourceEvent(ports.ids, { ...change, time })];
      for (const event of events) if (event) await writeEvents(ports, [event]);
    }
  };

  const step = async (): Promise<boolean> => {
    const next = queue.pending.toSorted((a, b) => a.deliverAt - b.deliverAt)[0];
    if (!next) return false;
    queue.pending.splice(queue.pending.indexOf(next), 1);
    clock.advance(Math.max(0, next.deliverAt - clock.now()));
    const { message } = next;
    if (message.type === "prepare_traversal") await prepareTraversal(ports, message);
    else await checkResource(ports, message, { remainingMs: () => 60_000 });
    await projectEvents();
    return true;
  };

  const settle = async (): Promise<void> => {
    await projectEvents();
    for (let steps = 0; await step(); steps += 1) {
      if (steps > STEPS_MAX) throw new Error("the world does not settle");
    }
  };

  const untilTime = async (end: number): Promise<void> => {
    while (queue.pending.some(({ deliverAt }) => deliverAt <= end)) await step();
  };
  /** Delivers only what is due now. The clock stands still. */
  const goOn = (): Promise<void> => untilTime(clock.now());
  const pass = async (ms: number): Promise<void> => {
    const end = clock.now() + ms;
    await untilTime(end);
    clock.advance(end - clock.now());
  };

  const moves = { settle, step, goOn, pass };
  return { ports, fakeProvider, store, clock, queue, blobs, send, read, ...moves, unexpected };
};

export type World = ReturnType<typeof openWorld>;

export const at = (
  document: Json | undefined,
  ...path: readonly (string | number)[]
): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) ? value[String(key)] : undefined;
  }, document);

export const textAt = (document: Json, ...path: readonly (string | number)[]): string => {
  const value = at(document, ...path);
  if (typeof value !== "string") throw new Error(`no text at ${path.join(".")}`);
  return value;
};

export const listAt = (document: Json, ...path: readonly (string | number)[]): readonly Json[] => {
  const value = at(document, ...path);
  if (!Array.isArray(value)) throw new Error(`no list at ${path.join(".")}`);
  return value;
};

export const createStack = async (
  world: Pick<World, "send">,
  name: string,
  body: JsonObject,
): Promise<string> => {
  const answer = await world.send("POST", "/stacks", { stack_name: name, ...body });
  if (answer.status !== 201) throw new Error(`create answered ${JSON.stringify(answer.body)}`);
  return `/stacks/${name}/${textAt(answer.body, "stack", "id")}`;
};
