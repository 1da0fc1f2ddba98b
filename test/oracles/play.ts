import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Answer, Api } from "./api.ts";
import { differencesOf } from "./compare.ts";

export interface Difference {
  /** A few words that many cases share. The report groups by them. */
  readonly cause: string;
  readonly text: string;
  readonly accepts: boolean;
}

export interface Play {
  readonly id: string;
  run(api: Api): Promise<Difference | null>;
}

const SHOWN_CHARS_MAX = 600;
const CAUSE_CHARS_MAX = 110;

const shown = (value: Json): string => JSON.stringify(value).slice(0, SHOWN_CHARS_MAX);

export const documentDifference = (expected: Json, got: Json): Difference | null => {
  const [first, ...others] = differencesOf(expected, got);
  if (!first) return null;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const path = first.path === "" ? "the answer" : first.path;
  return {
    cause: `${path}: ${first.kind}`.slice(0, CAUSE_CHARS_MAX),
    text: `${path}: ${shown(first.expected)} expected, ${shown(first.got)} given${more}`,
    accepts: false,
  };
};

export const messageOf = (body: Json): string => {
  const error = isJsonObject(body) ? body["error"] : null;
  const message = isJsonObject(error) ? error["message"] : null;
  return typeof message === "string" ? message : JSON.stringify(body);
};

/** Names and numbers are left out, so that similar refusals share a cause. */
const kindOfMessage = (message: string): string =>
  message
    .replace(/["'][^"']*["']/g, "…")
    .replace(/\([^)]*\)/g, "(…)")
    .slice(0, CAUSE_CHARS_MAX);

export const statusDifference = (status: number, got: Answer): Difference | null => {
  if (got.status === status) return null;
  const kind = got.status < 400 ? "accepted" : kindOfMessage(messageOf(got.body));
  return {
    cause: `${status} expected, ${got.status} given: ${kind}`.slice(0, CAUSE_CHARS_MAX),
    text: `${status} expected, ${got.status} given: ${shown(got.body)}`,
    accepts: status >= 400 && got.status < 400,
  };
};

/** The recorder left the traceback out. Heat's API answers null unless it runs for debugging. */
const withTraceback = (body: Json): Json => {
  const error = isJsonObject(body) ? body["error"] : undefined;
  if (!isJsonObject(body) || !isJsonObject(error)) return body;
  return { ...body, error: { ...error, traceback: null } };
};

export const answerDifference = (
  expected: { readonly status: number; readonly body: Json },
  got: Answer,
): Difference | null =>
  statusDifference(expected.status, got) ??
  documentDifference(
    expected.status < 400 ? expected.body : withTraceback(expected.body),
    got.body,
  );

export const refusal = (type: string, message: string): JsonObject => ({
  code: 400,
  title: "Bad Request",
  explanation:
    "The server could not comply with the request since it is either malformed or otherwise incorrect.",
  error: { type, message },
});
