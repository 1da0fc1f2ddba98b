/** Requests and responses as this layer sees them: plain data, nothing of any platform. */
import type { Json } from "#lib/json.ts";
import type { Query } from "./query.ts";

export interface ApiRequest {
  readonly method: string;
  /** As sent, percent-encoded, without the query string. */
  readonly path: string;
  readonly query: Query;
  /** Text; null where there is none. */
  readonly body: string | null;
  /** The project of the request's credential; absent where there are no credentials (loopback only). */
  readonly tenant?: string;
  /** The part between the public URL and `path` in this caller's URLs, such as `/iam`. Absent: none. */
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
): ApiResponse => ({
  status,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(document),
});

export const emptyResponse = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse => ({ status, headers, body: null });
