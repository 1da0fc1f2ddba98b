/**
 * A client that speaks to a real host over HTTP like Heat's own. It follows redirects with the same
 * method and body.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";

const WAIT_MS_MAX = 30_000;
const LOOK_MS = 20;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export const send = async (
  url: string,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<HttpAnswer> => {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: Json = text === "" ? null : JSON.parse(text);
  const location = response.headers.get("Location");
  if (response.status === 302 && location) return send("", method, location, body);
  return { status: response.status, headers: response.headers, body: parsed };
};

export const at = (
  document: Json | undefined,
  ...path: readonly (string | number)[]
): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) ? value[String(key)] : undefined;
  }, document);

/**
 * Waits until one of the stack's own events ends an operation. A failure that is rolled back does
 * not end it.
 */
export const waitForStack = async (url: string, name: string, marker?: string): Promise<string> => {
  const give = Date.now() + WAIT_MS_MAX;
  let last = marker;
  while (Date.now() < give) {
    const after = last === undefined ? "" : `&marker=${last}`;
    const { body } = await send(url, "GET", `/v1/demo/stacks/${name}/events?sort_dir=asc${after}`);
    const events = at(body, "events");
    for (const event of Array.isArray(events) ? events : []) {
      last = String(at(event, "id"));
      const status = String(at(event, "resource_status"));
      if (at(event, "resource_name") !== name || !/_(COMPLETE|FAILED)$/.test(status)) continue;
      if (!status.endsWith("_FAILED") || !(await isRolledBack(url, name))) return status;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`${name} did not come to an end`);
};

const isRolledBack = async (url: string, name: string): Promise<boolean> => {
  const { body } = await send(url, "GET", `/v1/demo/stacks/${name}`);
  return /^ROLLBACK_(IN_PROGRESS|COMPLETE)$/.test(String(at(body, "stack", "stack_status")));
};

export const newestEvent = async (url: string, name: string): Promise<string> => {
  const path = `/v1/demo/stacks/${name}/events?limit=1&sort_dir=desc`;
  return String(at((await send(url, "GET", path)).body, "events", 0, "id"));
};
