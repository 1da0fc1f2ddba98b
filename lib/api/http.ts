/** Requests and responses as plain data, independent of any platform. */
import { type Json, mergedMaps } from "#lib/json.ts";
import type { Rights } from "#lib/ports/ports.ts";
import type { Query } from "./query.ts";

export interface ApiRequest {
  readonly method: string;
  /** Percent-encoded as the client sent it, without the query string. */
  readonly path: string;
  readonly query: Query;
  readonly body: string | null;
  readonly tenant?: string;
  readonly actor?: string;
  /** What the credential may do in its project. Absent if it may do everything. */
  readonly rights?: Rights;
  /** A prefix of `path` in this caller's URLs, such as `/iam`. */
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

/** Times on the wire: `2014-01-01T00:00:00Z`, whole seconds. */
export const isoTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms);
