/**
 * A client of Heat's REST v1 over `fetch`. It follows a redirect with the same method and body, and
 * parses the answers. Browsers run this file too, so it must not use a module of Node.
 */
import * as z from "zod";
import { RequestError, SeveralErrors } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import { NoNestedStack, UnexpectedAnswer, Unreachable } from "./errors.ts";
import type { KnownAnswers } from "./known-answers.ts";
import { PAGE_ENTRIES_MAX, PAGE_RESOURCES_MAX, readAllPages, readAllResources } from "./pages.ts";
import { pause } from "./pause.ts";
import {
  type Asking,
  foreignText,
  hasNoRoute,
  noRouteText,
  refusedText,
  whileThrottled,
} from "./refused.ts";
import { explainUnanswered, failureCode } from "./unanswered.ts";
import {
  ErrorAnswer,
  EventsAnswer,
  ResourceShape,
  ResourcesAnswer,
  StackAnswer,
  type WireEvent,
  type WireResource,
  type WireStack,
} from "./wire.ts";

const OK = 200;
const NOT_MODIFIED = 304;
const REDIRECTS_MAX = 5;
/** Above API Gateway's 29 seconds, so that the user sees its answer and not our time-out. */
export const ANSWER_MS_MAX = 35_000;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Fetch = (url: string, request?: RequestInit) => Promise<Response>;

export interface ClientOptions {
  readonly endpoint: string;
  readonly project: string;
  readonly token?: string | undefined;
  readonly known?: KnownAnswers | undefined;
  readonly fetch?: Fetch | undefined;
}

/** The path has name and id, so the server never redirects it. */
export const stackPath = ({ stack_name, id }: Pick<WireStack, "stack_name" | "id">): string =>
  `/stacks/${encodeURIComponent(stack_name)}/${encodeURIComponent(id)}`;

const { links: Links, physical_resource_id: PhysicalId } = ResourceShape.shape;
const NestingAnswer = z.looseObject({
  resource: z.looseObject({ links: Links, physical_resource_id: PhysicalId }),
});

const isArn = (nameOrId: string): boolean => nameOrId.startsWith("arn:");

interface EventFilter {
  readonly marker?: string | null;
  readonly limit?: number;
  readonly resource_name?: string;
  readonly sort_dir?: "asc" | "desc";
  readonly nestedDepth?: number;
}

export interface Client {
  /** `path` follows `/v1/{project}`. A refusal is a RequestError with the server's text. */
  request<Shape extends z.ZodType>(
    method: Method,
    path: string,
    answer: Shape,
    body?: unknown,
  ): Promise<z.infer<Shape>>;
  text(path: string): Promise<string>;
  /** `app/web` is the stack that the resource `web` of `app` nests. */
  findStack(nameOrId: string): Promise<WireStack>;
  stackBelow(top: WireStack, names: readonly string[]): Promise<WireStack>;
  events(stack: Pick<WireStack, "stack_name" | "id">, query: EventFilter): Promise<WireEvent[]>;
  resources(
    stack: Pick<WireStack, "stack_name" | "id">,
    query?: Pick<EventFilter, "nestedDepth"> & { readonly withRows?: boolean },
  ): Promise<WireResource[]>;
}

export const openClient = (options: ClientOptions): Client => {
  const prefix = `/v1/${encodeURIComponent(options.project)}`;
  const { endpoint, project, token } = options;
  const asking = { endpoint, project, hasToken: Boolean(token) };
  const request: Client["request"] = async (method, path, shape, body) => {
    let target = path;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const response = await send(options, method, `${prefix}${target}`, body);
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) {
        return parseAnswer(response, shape, asking).catch(tellNoRoute(request, method, path));
      }
      await response.body?.cancel();
      target = redirectedPath(location, prefix);
    }
    throw new UnexpectedAnswer(`${options.endpoint} redirected more than ${REDIRECTS_MAX} times.`);
  };
  const findStack: Client["findStack"] = async (nameOrId) => {
    const [top = "", ...below] = isArn(nameOrId) ? [nameOrId] : nameOrId.split("/");
    const path = `/stacks/${encodeURIComponent(top)}?resolve_outputs=false`;
    const { stack } = await request("GET", path, StackAnswer);
    return stackBelow(stack, below);
  };
  const stackBelow: Client["stackBelow"] = async (top, names) => {
    let stack = top;
    for (const name of names) {
      const path = `${stackPath(stack)}/resources/${encodeURIComponent(name)}`;
      const { resource } = await request("GET", path, NestingAnswer);
      const { links, physical_resource_id: id } = resource;
      const nests = links?.some(({ rel }) => rel === "nested") ?? false;
      if (!nests || !id) throw new NoNestedStack(`The resource ${name} has no nested stack.`);
      stack = await findStack(id);
    }
    return stack;
  };
  const text: Client["text"] = async (path) => {
    const parts: string[] = [];
    for (let from: string | null = "0"; from !== null; ) {
      const response = await send(options, "GET", `${prefix}${path}?from=${from}`, undefined);
      if (!response.ok) return parseAnswer(response, z.never(), asking);
      parts.push(await textOf(options.endpoint, response));
      from = response.headers.get("x-next-from");
    }
    return parts.join("");
  };
  return {
    request,
    text,
    findStack,
    stackBelow,
    events: (stack, query) => {
      const path = `${stackPath(stack)}/events`;
      const read = async (marker: string | null, limit: number): Promise<WireEvent[]> =>
        (await request("GET", `${path}?${eventParameters(query, marker, limit)}`, EventsAnswer))
          .events;
      const { marker = null, limit } = query;
      if (limit !== undefined) return read(marker, limit);
      return readAllPages((from) => read(from, PAGE_ENTRIES_MAX), marker);
    },
    resources: async (stack, { nestedDepth = 0, withRows = false } = {}) => {
      const depth = nestedDepth === 0 ? "" : `&nested_depth=${nestedDepth}`;
      const rows = withRows ? "&with_rows=true" : "";
      const path = `${stackPath(stack)}/resources?limit=${PAGE_RESOURCES_MAX}${depth}${rows}`;
      return readAllResources((next) => request("GET", `${path}${next}`, ResourcesAnswer));
    },
  };
};

const eventParameters = (
  { resource_name, nestedDepth, sort_dir = "asc" }: EventFilter,
  marker: string | null,
  limit: number,
): URLSearchParams =>
  new URLSearchParams({
    sort_dir,
    limit: String(limit),
    ...(marker ? { marker } : {}),
    ...(resource_name === undefined ? {} : { resource_name }),
    ...(nestedDepth ? { nested_depth: String(nestedDepth) } : {}),
  });

const DOTS = /^[^?]*\/\.{1,2}(?:[/?]|$)/;
const EMPTY = /^[^?]*\/(?:[/?]|$)/;

/** URLs drop such segments, so the request would reach another path. */
const refuseNoNames = (path: string): void => {
  if (DOTS.test(path)) {
    throw new RequestError("NotFound", 404, "Nothing has the name . or .. here.");
  }
  if (EMPTY.test(path)) throw new RequestError("NotFound", 404, "Nothing has an empty name here.");
};

const send = async (
  options: ClientOptions,
  method: Method,
  path: string,
  body: unknown,
): Promise<Response> => {
  refuseNoNames(path);
  const ask = (tag?: string): Promise<Response> =>
    whileThrottled(() => sendOnce(options, method, path, body, tag), pause);
  const { known } = options;
  if (method !== "GET" || known === undefined) return ask();
  const answer = known.find(path);
  const response = await ask(answer?.tag);
  if (response.status === NOT_MODIFIED && answer !== undefined) return new Response(answer.text);
  const tag = response.headers.get("etag");
  if (response.status !== OK || tag === null) return response;
  const text = await textOf(options.endpoint, response);
  known.keep(path, { tag, text });
  return new Response(text, { headers: response.headers });
};

const sendOnce = async (
  { endpoint, token, fetch: send = fetch }: ClientOptions,
  method: Method,
  path: string,
  body: unknown,
  tag: string | undefined,
): Promise<Response> => {
  const headers = {
    Accept: "application/json",
    "User-Agent": "hearth",
    ...(token ? { "X-Auth-Token": token } : {}),
    ...(tag === undefined ? {} : { "If-None-Match": tag }),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  try {
    return await send(`${endpoint.replace(/(?<!\/)\/+$/, "")}${path}`, {
      method,
      headers,
      redirect: "manual",
      // With credentials of its own, a browser opens a window of its own that asks for a password.
      credentials: "omit",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw unreachable(endpoint, error);
  }
};

const textOf = async (endpoint: string, response: Response): Promise<string> => {
  try {
    return await response.text();
  } catch (error) {
    throw unreachable(endpoint, error);
  }
};

const unreachable = (endpoint: string, error: unknown): Unreachable => {
  const { found, advice } = explainUnanswered(endpoint, failureCode(error));
  return new Unreachable(`Cannot reach Hearth at ${endpoint}: ${found}. ${advice}.`);
};

/**
 * Uses only the path of a Location. So the token is never sent to another endpoint than the user's,
 * even if the server redirects to another address.
 */
const redirectedPath = (location: string, prefix: string): string => {
  const at = location.indexOf(`${prefix}/`);
  if (at < 0) throw new UnexpectedAnswer("The server redirected to another service.");
  return location.slice(at + prefix.length);
};

class NoRoute extends RequestError {}

const BUILD_INFO = "/build_info";
const BuildInfo = z.looseObject({ engine: z.looseObject({ revision: z.string() }) });

const versionOf = async (request: Client["request"]): Promise<string | null> => {
  try {
    return (await request("GET", BUILD_INFO, BuildInfo)).engine.revision;
  } catch {
    return null;
  }
};

/** Throws the error again. If the host lacks the route, the error names the host's version. */
const tellNoRoute =
  (request: Client["request"], method: Method, path: string) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof NoRoute)) throw error;
    const version = path === BUILD_INFO ? null : await versionOf(request);
    throw new RequestError(error.code, error.status, noRouteText(version, method, path));
  };

const parseAnswer = async <Shape extends z.ZodType>(
  response: Response,
  shape: Shape,
  asking: Asking,
): Promise<z.infer<Shape>> => {
  const json = jsonOrNull(await textOf(asking.endpoint, response));
  if (!response.ok) {
    const error = ErrorAnswer.safeParse(json).data?.error;
    const message = error?.message ?? null;
    if (hasNoRoute(response.status, message, asking))
      throw new NoRoute(error?.type ?? "", response.status, message ?? "");
    const text = refusedText(response.status, message, asking);
    const first = new RequestError(error?.type ?? "", response.status, text);
    const others = error?.others ?? [];
    if (others.length === 0) throw first;
    throw new SeveralErrors(
      first,
      others.map(({ type, message }) => new RequestError(type ?? "", response.status, message)),
    );
  }
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  if (json === null) throw new UnexpectedAnswer(foreignText(response.status));
  throw new UnexpectedAnswer(`The server's answer is not Heat's: ${z.prettifyError(parsed.error)}`);
};

/** @returns null when the text is empty or malformed. */
export const jsonOrNull = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
};

interface ResourcePlace {
  readonly stack: WireStack;
  readonly name: string;
}

/** Finds a resource by its path in lists: `group/member` is in the stack of `group`. */
export const pathIn = (stack: WireStack, resource: string): string =>
  `${stackPath(stack)}/resources/${encodeURIComponent(resource)}`;

export const placeBelow = async (
  client: Client,
  top: WireStack,
  resource: string,
): Promise<ResourcePlace> => {
  const names = resource.split("/");
  const name = names.pop() ?? "";
  return { stack: await client.stackBelow(top, names), name };
};
