/** Requests and responses as plain data, free of any platform. */
import type { Json } from "#lib/json.ts";
import { mergedMaps } from "#lib/json-map.ts";
import type { Rights } from "#lib/ports/api-tokens.ts";
import type { Query } from "./query.ts";

export interface ApiRequest {
  readonly method: string;
  /** Percent-encoded as the client sent it, without the query string. */
  readonly path: string;
  readonly query: Query;
  /** Null: there is none. */
  readonly body: string | null;
  /** The project of the credential. Absent on loopback, which needs no credentials. */
  readonly tenant?: string;
  /** Whose credential it is, as Stack.actor says it. Absent: none was needed. */
  readonly actor?: string;
  /** What the credential may do there. Absent: everything. */
  readonly rights?: Rights;
  /** Stands before `path` in this caller's URLs, such as `/iam`. Absent: nothing does. */
  readonly base?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export const jsonResponse = (
  status: number,
  document: Json,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse => jsonTextResponse(status, JSON.stringify(document), headers);

/** `body` is JSON. */
export const jsonTextResponse = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse => ({
  status,
  headers: mergedMaps({ "Content-Type": "application/json" }, headers),
  body,
});

export const emptyResponse = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse => ({ status, headers, body: null });
