/** Sends one signed request to a provider. Errors contain neither values nor secrets. */
import * as z from "zod/mini";
import { AnswerLost } from "../errors.ts";
import { Garbage } from "../read-answer.ts";
import {
  BODY_BYTES_MAX,
  CLOCK_SECONDS_MAX,
  refusalSchema,
  SIGNATURE_HEADER,
  signatureOf,
  TIME_HEADER,
} from "./protocol.ts";

export interface RemoteAddress {
  readonly url: string;
  readonly secret: string;
}

export interface SentRequest {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

export type Reply = { readonly value: unknown } | { readonly throttled: { afterSeconds: number } };

export class NotSent extends AnswerLost {}

const LOST_SECONDS = 5;
const BUSY_SECONDS = 1;
const RETRY_AFTER_SECONDS_MAX = 3_600;
const ANSWER_BYTES_MAX = BODY_BYTES_MAX;
const REFUSAL_CODE = /^[a-z_]{1,40}$/;

const OK = 200;
const TOO_MANY = 429;
/** The call may still run: a proxy timed out, or another request with its token is running. */
const LOST_STATUSES: ReadonlySet<number> = new Set([408, 409, 425]);
const SERVER_FAULTS = 500;

const NEVER_SENT: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

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

/** Shows only codes of the protocol, because another text of the server could contain a value. */
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
/** With a larger lead the clock was set back. A server refuses times in its future. */
const AHEAD_MS_MAX = (CLOCK_SECONDS_MAX * 1_000) / 2;

/** Strictly increasing, because a server refuses all other requests with the same token. */
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

/** Throws AnswerLost if the outcome is unknown, and Garbage for a reply outside of the protocol. */
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
