/**
 * A route is declared once: how a request reaches it, who answers, and what docs/api.yaml says of
 * it. The router, the rights of tokens, the document and the tests that try every route read this.
 */
import type { Json } from "#lib/json.ts";
import type * as catalog from "./answers/catalog.ts";
import type * as resources from "./answers/resources.ts";
import type * as shapes from "./answers/shapes.ts";
import type * as software from "./answers/software.ts";
import type * as stacks from "./answers/stacks.ts";
import type { Context } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

/** What docs/api.yaml says of a route. The routes of agents and of a host alone say it too. */
export interface Documented<Answer extends string> {
  readonly summary: string;
  /** Names in QUERY_PARAMETERS of tools/packaging/rest/parameters.ts. */
  readonly query?: readonly string[];
  /** A name in BODIES of tools/packaging/rest/schemas.ts. */
  readonly body?: string;
  readonly bodyIsOptional?: boolean;
  /** Schemas are only named, because neither the functions nor the playground need them. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Beside those that every route has, and 404 for a path with an id. */
  readonly refusals?: readonly number[];
  /** Whatever the ids in its path are, it does not answer 404. */
  readonly isNeverAbsent?: boolean;
}

type Schemas = typeof catalog & typeof resources & typeof shapes & typeof software & typeof stacks;
type Answer =
  | keyof Schemas
  | "HealthAnswer"
  | "ObjectsAnswer"
  | "PurgeAnswer"
  | "nothing"
  | "redirect"
  | "text";

interface Declared extends Documented<Answer> {
  /** For a token that may only read. Without this, a GET reads and every other method changes. */
  readonly access?: "reads" | "changes";
  /** Reveals nothing about existing stacks, so a token for one stack may use it. */
  readonly isOfNoStack?: boolean;
}

export interface Route extends Declared {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly pattern: string;
  readonly handle: (context: Context) => ApiResponse | Promise<ApiResponse>;
}

export const routeAt = (
  method: Route["method"],
  pattern: string,
  handle: Route["handle"],
  declared: Declared,
): Route => ({ method, pattern, handle, ...declared });

/** For an answer that is a document, with the one status that is declared for it. */
export const documentAt = (
  method: Route["method"],
  pattern: string,
  read: (context: Context) => Json | Promise<Json>,
  declared: Declared,
): Route => {
  const status = Number(Object.keys(declared.answers)[0]);
  const handle = async (context: Context) => jsonResponse(status, await read(context));
  return routeAt(method, pattern, handle, declared);
};
