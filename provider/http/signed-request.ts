/** One signed request to a provider, with bounds. No text of an error has a value or a secret. */
import * as z from "zod/mini";
import { AnswerLost } from "../answer-lost.ts";
import { Garbage } from "../read-answer.ts";
import {
  BODY_BYTES_MAX,
  CLOCK_SECONDS_MAX,
  refusalSchema,
  SIGNATURE_HEADER,
  TIME_HEADER,
} from "./protocol.ts";
import { signatureOf } from "./signature.ts";

export interface RemoteAddress {
  /** Of the provider, without /v1 and what follows. */
  readonly url: string;
  readonly secret: string;
}

export interface SentRequest {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  /** Absent: there is no body. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** `throttled`: the provider has done nothing. */
export type Reply = { readonly value: unknown } | { readonly throttled: { afterSeconds: number } };

/** The request did not leave this machine, so nothing was done. */
export class NotSent extends AnswerLost {}

const LOST_SECONDS = 5;
const BUSY_SECONDS = 1;
const RETRY_AFTER_SECONDS_MAX = 3_600;
const ANSWER_BYTES_MAX = BODY_BYTES_MAX;
const REFUSAL_CODE = /^[a-z_]{1,40}$/;

const OK = 200;
const TOO_MANY = 429;
/** The answer may still come: a time limit of a proxy, another request of the same token. */
const LOST_STATUSES: ReadonlySet<number> = new Set([408, 409, 425]);
const SERVER_FAULTS = 500;

const NEVER_SENT: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** fetch says only that it has failed. Its cause says why. */
const lostBy = (error: unknown): AnswerLost => {
  if (error instanceof AnswerLost) return error;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = codeOf(cause);
  const text = code ?? (cause instanceof Error ? cause.message : cause);
  const reason = `the provider could not be reached, or did not answer (${String(text)})`;
  return NEVER_SENT.has(code)
    ? new NotSent(reason, LOST_SECONDS, { cause: error })
    : new AnswerLost(reason, LOST_SECONDS, { cause: error });
};

/** Throws Garbage for a body that is too large. */
const textOf = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Garbage(`it is larger than ${ANSWER_BYTES_MAX} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Garbage("it is not JSON");
  }
};

/** A code of the protocol, if there is one. Other texts of a server are not shown. */
const codeIn = (text: string): string => {
  try {
    const { error } = z.parse(refusalSchema, JSON.parse(text));
    return REFUSAL_CODE.test(error) ? `, ${error}` : "";
  } catch {
    return "";
  }
};

const secondsOf = (header: string | null, absent: number): number => {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds, RETRY_AFTER_SECONDS_MAX)
    : absent;
};

const replyOf = async (response: Response): Promise<Reply> => {
  const { status, headers } = response;
  const text = await textOf(response);
  if (status === OK) return { value: parsed(text) };
  const after = headers.get("retry-after");
  if (status === TOO_MANY) return { throttled: { afterSeconds: secondsOf(after, BUSY_SECONDS) } };
  const shown = `HTTP status ${status}${codeIn(text)}`;
  if (LOST_STATUSES.has(status)) throw new AnswerLost(shown, secondsOf(after, BUSY_SECONDS));
  if (status >= SERVER_FAULTS) throw new AnswerLost(shown, secondsOf(after, LOST_SECONDS));
  throw new Garbage(shown);
};

let latest = 0;
/** A clock that was ahead by more has been set right. A server refuses times of its future. */
const AHEAD_MS_MAX = (CLOCK_SECONDS_MAX * 1_000) / 2;

/** Later than that of each request before: a server refuses the others of a token. */
export const nextTime = (): string => {
  const now = Date.now();
  latest = latest - now > AHEAD_MS_MAX ? now : Math.max(now, latest + 1);
  return String(latest);
};

const bodyOf = (body: unknown): string => {
  const text = body === undefined ? "" : JSON.stringify(body);
  if (Buffer.byteLength(text) <= BODY_BYTES_MAX) return text;
  throw new Error(`the call is larger than ${BODY_BYTES_MAX} bytes, so it was not made`);
};

/**
 * Throws AnswerLost if nobody knows what has become of the request, and Garbage for an answer that
 * is none of the protocol.
 */
export const sendSigned = async (
  { url, secret }: RemoteAddress,
  { method, path, body: value, signal }: SentRequest,
): Promise<Reply> => {
  const body = bodyOf(value);
  const time = nextTime();
  const signature = signatureOf(secret, { method, path, time, body });
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === "" ? {} : { "content-type": "application/json" }),
        [TIME_HEADER]: time,
        [SIGNATURE_HEADER]: signature,
      },
      ...(body === "" ? {} : { body }),
      redirect: "manual",
      signal,
    });
    return await replyOf(response);
  } catch (error) {
    if (error instanceof Garbage) throw error;
    throw lostBy(error);
  }
};
