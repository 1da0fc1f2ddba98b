/** What every route's handler is given. */
import type { StackIdentity } from "#lib/engine/find-stack.ts";
import { badRequest, present } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { DEPTH_MAX, isDeeperThan } from "#lib/template/json-shape.ts";
import type { ApiRequest, ApiResponse } from "./http.ts";

/** A template has its own limit, and stands a level deeper in the body. */
const BODY_DEPTH_MAX = DEPTH_MAX + 10;

/** What the operator has set. */
export interface ApiSettings {
  /** What runs here, for `GET /build_info`: the operator's name for it, or the package's version. */
  readonly revision: string;
  /** Heat's max_template_size. Absent: Heat's default. */
  readonly templateBytesMax?: number | undefined;
  /** Step mode: an update visits resources even if nothing has changed. */
  readonly showsEveryVisit?: boolean;
}

export interface Context {
  readonly ports: Ports;
  readonly settings: ApiSettings;
  /** Where the caller came in: the base of all links in its answers. */
  readonly callersUrl: string;
  readonly request: ApiRequest;
  /** What the braces of the route's pattern stand for, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export type RouteHandler = (context: Context) => ApiResponse | Promise<ApiResponse>;

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly pattern: string;
  readonly handle: RouteHandler;
}

export const param = (context: Context, name: string): string =>
  present(context.params[name], `path parameter ${name}`);

/** With no authentication (loopback only) the path's project is the tenant. */
export const tenantOf = (context: Context): string => param(context, "tenant");

/** Of a canonical URL. */
export const identityOf = (context: Context): StackIdentity => ({
  tenant: tenantOf(context),
  name: param(context, "stack_name"),
  id: param(context, "stack_id"),
});

/** The body's JSON, null where there is no body. 400 for what is no JSON, or too deep for whoever walks it later. */
export const jsonBodyOf = ({ request }: Context): Json => {
  if (request.body === null || request.body.trim() === "") return null;
  const body = parseJson(request.body);
  if (!isDeeperThan(body, BODY_DEPTH_MAX)) return body;
  throw badRequest(`The request body is nested more than ${BODY_DEPTH_MAX} levels deep.`);
};

/** The body's JSON object; an absent body is an empty one. 400 for anything else. */
export const bodyOf = (context: Context): JsonObject => {
  const body = context.request.body?.trim() ? jsonBodyOf(context) : {};
  if (!isJsonObject(body)) throw badRequest("The request body is not a JSON object.");
  return body;
};

const parseJson = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's own text quotes the body, which may hold secrets.
    const place = cause instanceof Error ? /position \d+/.exec(cause.message)?.[0] : undefined;
    throw badRequest(`The request body is not valid JSON${place ? ` (${place})` : ""}.`);
  }
};
