/**
 * Requests a URL once. It throws nothing and follows no redirect. After a 429 it waits and repeats
 * the request, as the other commands do.
 */
import { jsonOrNull } from "#client/client.ts";
import { whileThrottled } from "#client/throttled.ts";
import { failureCode } from "#client/unanswered.ts";
import { mergedMaps } from "#lib/json.ts";

export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  readonly body: unknown;
  /** Milliseconds since 1970 from the Date header; null when that is missing or unreadable. */
  readonly dateMs: number | null;
  /** Milliseconds by this machine's clock, like `receivedAt`. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface Unanswered {
  readonly kind: "unanswered";
  /** A code of Node or undici, such as ECONNREFUSED, ENOTFOUND or TimeoutError. */
  readonly code: string;
}

export type Asked = Answered | Unanswered;

export interface Surroundings {
  now(): number;
  pause(ms: number): Promise<void>;
  readonly answerMsMax: number;
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
