import { setTimeout as pause } from "node:timers/promises";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export interface Api {
  send(method: string, path: string, body?: JsonObject): Promise<Answer>;
  newTenant(): string;
}

interface MadeStack {
  readonly path: string;
}

const ASK_AGAIN_MS = 25;
const SETTLED_MS_MAX = 60_000;

export const openApi = (endpoint: string): Api => {
  let tenants = 0;
  return {
    newTenant: () => {
      tenants += 1;
      return `oracle-${tenants}`;
    },
    send: async (method, path, body) => {
      const response = await fetch(`${endpoint}/v1${path}`, {
        method,
        headers: { "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? null : parseJson(text) };
    },
  };
};

export const at = (value: Json, ...path: readonly (string | number)[]): Json => {
  let found: Json = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)] ?? null;
    else found = isJsonObject(found) ? (found[key] ?? null) : null;
  }
  return found;
};

export const madeStack = (answer: Answer): MadeStack => {
  const { pathname } = new URL(String(at(answer.body, "stack", "links", 0, "href")));
  return { path: pathname.replace(/^\/v1/, "") };
};

export const settledStack = async (api: Api, { path }: MadeStack): Promise<Json> => {
  const until = performance.now() + SETTLED_MS_MAX;
  while (performance.now() < until) {
    const { body } = await api.send("GET", path);
    const stack = at(body, "stack");
    if (!String(at(stack, "stack_status")).endsWith("_IN_PROGRESS")) return stack;
    await pause(ASK_AGAIN_MS);
  }
  throw new Error(`${path} is still in progress`);
};
