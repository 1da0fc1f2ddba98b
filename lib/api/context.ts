import type * as z from "zod";
import type { StackIdentity } from "#lib/engine/stacks/find-stack.ts";
import { badRequest, present } from "#lib/errors.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  NumberOutOfRange,
  parseJson,
} from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { DEPTH_MAX, isDeeperThan } from "#lib/template/json-shape.ts";
import type { Forewarning, Problem } from "./health.ts";
import type { ApiRequest } from "./http.ts";
import { single } from "./query.ts";

/** A template has its own limit, and is deeper in the body. */
const BODY_DEPTH_MAX = DEPTH_MAX + 10;

export interface ApiSettings {
  readonly revision: string;
  readonly templateBytesMax?: number | undefined;
  readonly fetchTemplate?: ((url: string, bytesMax: number) => Promise<string>) | undefined;
  /** Step mode: an update visits resources even if nothing has changed. */
  readonly showsEveryVisit?: boolean;
  readonly problems?: () => readonly Problem[];
  readonly forewarnings?: (tenant: string, actor: string | undefined) => readonly Forewarning[];
}

export interface Context {
  readonly ports: Ports;
  readonly settings: ApiSettings;
  /** The URL through which the caller reached Hearth: the base of all links in its answers. */
  readonly callersUrl: string;
  readonly request: ApiRequest;
  readonly params: Readonly<Record<string, string>>;
}

export const param = (context: Context, name: string): string =>
  present(context.params[name], `path parameter ${name}`);

/** Without authentication, which only loopback allows, the path's project is the tenant. */
export const tenantOf = (context: Context): string => param(context, "tenant");

export const STACK = "/v1/{tenant}/stacks/{stack_name}/{stack_id}";

/** What the caller has looked at: a verb that declares it refuses to act on anything else. */
export const basisOf = ({ request }: Context): string | undefined => single(request.query, "basis");

export const identityOf = (context: Context): StackIdentity => ({
  tenant: tenantOf(context),
  askedBy: context.request.actor,
  basis: basisOf(context),
  name: param(context, "stack_name"),
  id: param(context, "stack_id"),
});

/** A handler that gives what `read` finds of the stack in the path. */
export const ofStack =
  <T>(read: (ports: Ports, identity: StackIdentity) => T) =>
  (context: Context): T =>
    read(context.ports, identityOf(context));

/** Throws 400 for invalid JSON, and for JSON that is too deep for recursive readers. */
export const jsonBodyOf = ({ request }: Context): Json => {
  if (request.body === null || request.body.trim() === "") return null;
  const body = parseBody(request.body);
  if (!isDeeperThan(body, BODY_DEPTH_MAX)) return body;
  throw badRequest(`The request body is nested more than ${BODY_DEPTH_MAX} levels deep.`);
};

export const bodyOf = (context: Context): JsonObject => {
  const body = context.request.body?.trim() ? jsonBodyOf(context) : {};
  if (!isJsonObject(body)) throw badRequest("The request body is not a JSON object.");
  return body;
};

const MISSING = /^Invalid input: expected .*, received undefined$/;

/** Throws 400 with the wrong places. Values are left out, because they may be secrets. */
const parseObject = <T>(schema: z.ZodType<T>, object: JsonObject): T => {
  const parsed = schema.safeParse(object);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw badRequest(
    issues
      .map(({ path, message }) => {
        const what = MISSING.test(message) ? "it is missing" : message;
        return `${path.join(".") || "body"}: ${what}`;
      })
      .join("; "),
  );
};

export const parseBodyOf = <T>(schema: z.ZodType<T>, context: Context): T =>
  parseObject(schema, bodyOf(context));

const MALFORMED =
  "The server could not comply with the request since it is either malformed or otherwise incorrect.";

/** For a body with only optional members. As in Heat, a request without a body gets 400. */
export const parseGivenBodyOf = <T>(schema: z.ZodType<T>, context: Context): T => {
  if (!context.request.body?.trim()) throw badRequest(MALFORMED);
  return parseBodyOf(schema, context);
};

const parseBody = (text: string): Json => {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof NumberOutOfRange)
      throw badRequest(`The request body is not valid JSON: ${cause.message}.`);
    // The parser's own text quotes the body, which may contain secrets.
    const place = cause instanceof Error ? /position \d+/.exec(cause.message)?.[0] : undefined;
    throw badRequest(`The request body is not valid JSON${place ? ` (${place})` : ""}.`);
  }
};

/** The URLs of answers are absolute, on the host under which clients reach Hearth. */
const path = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");

export const tenantUrl = (callersUrl: string, tenant: string): string =>
  `${callersUrl}/v1${path(tenant)}`;

export const stackUrl = (callersUrl: string, stack: StackIdentity): string =>
  `${tenantUrl(callersUrl, stack.tenant)}/stacks${path(stack.name, stack.id)}`;

export const resourceUrl = (callersUrl: string, stack: StackIdentity, resource: string): string =>
  `${stackUrl(callersUrl, stack)}/resources${path(resource)}`;

export const link = (href: string, rel = "self") => ({ href, rel });
