/**
 * Requests a URL once: the answer as it came, or why there was none. A 429 is waited for, as by the
 * other commands. It throws nothing and follows no redirect.
 */
import { jsonOrNull } from "#client/client.ts";
import { whileThrottled } from "#client/throttled.ts";
import { failureCode } from "#client/unanswered.ts";
import { mergedMaps } from "#lib/json-map.ts";

export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  /** Null when the body is not JSON. */
  readonly body: unknown;
  /** The answer's Date header, milliseconds since 1970; null without a readable one. */
  readonly dateMs: number | null;
  /** By this machine's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface Unanswered {
  readonly kind: "unanswered";
  /** Node's or undici's: ECONNREFUSED, ENOTFOUND, TimeoutError. */
  readonly code: string;
}

export type Asked = Answered | Unanswered;

/** What the doctor uses of the machine that it runs on. */
export interface Surroundings {
  now(): number;
  pause(ms: number): Promise<void>;
  /** How long an answer may take. */
  readonly answerMsMax: number;
  /** The authority of --ca-file, as PEM. Absent: those that Node trusts. */
  readonly authority?: string | undefined;
}

export const ask = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  { now, pause, answerMsMax }: Surroundings,
): Promise<Asked> => {
  let sentAt = now();
  const send = (): Promise<Response> => {
    sentAt = now();
    return fetch(url, {
      headers: mergedMaps({ Accept: "application/json", "User-Agent": "hearth-doctor" }, headers),
      redirect: "manual",
      signal: AbortSignal.timeout(answerMsMax),
    });
  };
  try {
    const response = await whileThrottled(send, pause);
    const receivedAt = now();
    const body = jsonOrNull(await response.text());
    const dateMs = Date.parse(response.headers.get("Date") ?? "");
    return {
      kind: "answered",
      status: response.status,
      body,
      sentAt,
      receivedAt,
      dateMs: Number.isNaN(dateMs) ? null : dateMs,
    };
  } catch (error) {
    return { kind: "unanswered", code: failureCode(error) };
  }
};
