/**
 * Requests a URL once. It throws nothing and follows no redirect. After a 429 it waits and repeats
 * the request, as the other commands do.
 */
import { jsonOrNull } from "#client/client.ts";
import { whileThrottled } from "#client/refused.ts";
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

interface Unanswered {
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

/** `unchecked` means that an earlier check failed, so this one was not possible. */
type FindingVerdict = "ok" | "warning" | "wrong" | "unchecked";

export interface Finding {
  readonly check: string;
  readonly verdict: FindingVerdict;
  readonly found: string;
  readonly advice?: string;
}

interface Answers {
  ok(found: string): Finding;
  warning(found: string, advice: string): Finding;
  wrong(found: string, advice: string): Finding;
  unchecked(because: string): Finding;
}

export const answersOf = (check: string): Answers => ({
  ok: (found) => ({ check, verdict: "ok", found }),
  warning: (found, advice) => ({ check, verdict: "warning", found, advice }),
  wrong: (found, advice) => ({ check, verdict: "wrong", found, advice }),
  unchecked: (found) => ({ check, verdict: "unchecked", found }),
});

const VERDICT_WIDTH = "unchecked".length;
const CHECK_WIDTH = "authentication".length;

export const findingLine = ({ check, verdict, found, advice }: Finding): string => {
  const start = `${verdict.padEnd(VERDICT_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${found}`;
  return advice === undefined ? `${start}.` : `${start}. ${advice}.`;
};
