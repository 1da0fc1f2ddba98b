/** The signal: its body, cut to what the server takes, and its delivery with retries. */
import { setTimeout as pause } from "node:timers/promises";
import { type Fields, failureCode } from "./json.ts";
import type { Delivery, SignalTarget } from "./records.ts";
import { sendAhead, UPLOAD_BYTES_MAX } from "./upload.ts";

/** Below the 950,000 characters at which stock agents fail and well below Heat's limit of 1 MiB. */
export const BODY_BYTES_MAX = 900_000;
/** After the first attempt. */
const SIGNAL_RETRIES_MAX = 10;
const BACKOFF_MS_MAX = 30_000;
/** Stock agents wait for ever for an answer, and hang with a server that never gives one. */
const ANSWER_MS_MAX = 60_000;

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Fields;
  /** Set when the agent itself, not the script, says that the run failed, and why. */
  readonly reason?: string;
}

/** How large a body may be: what is too large for a request is sent ahead, to servers that have a place for it. */
export const bodyBytesMaxOf = (signal: SignalTarget | null): number =>
  signal?.takesUploads === true ? UPLOAD_BYTES_MAX : BODY_BYTES_MAX;

/** The final signal's body. Texts that are too long lose their beginning: the end tells what went wrong. */
export const signalBody = (outcome: Outcome, bytesMax = BODY_BYTES_MAX): Fields => {
  const { exitCode, outputs, reason } = outcome;
  const status =
    reason === undefined ? {} : { deploy_status: "FAILED", deploy_status_reason: reason };
  const rest = { ...outputs, ...status, deploy_status_code: exitCode };
  const body = withPrinted(rest, outcome, bytesMax);
  if (body !== null) return body;
  const tooLarge = `the outputs exceed ${bytesMax} bytes`;
  return signalBody({ ...outcome, outputs: {}, reason: tooLarge }, bytesMax);
};

/** The same for a server that has turned out to have no place for a larger one. */
const cutBody = (body: Fields): Fields => {
  const { deploy_stdout, deploy_stderr, ...rest } = body;
  const printed = {
    stdout: typeof deploy_stdout === "string" ? deploy_stdout : "",
    stderr: typeof deploy_stderr === "string" ? deploy_stderr : "",
  };
  const reason = `the outputs exceed ${BODY_BYTES_MAX} bytes`;
  const failed = { deploy_status: "FAILED", deploy_status_reason: reason, deploy_status_code: 1 };
  return (
    withPrinted(rest, printed, BODY_BYTES_MAX) ??
    withPrinted(failed, printed, BODY_BYTES_MAX) ??
    failed
  );
};

/** Null where the rest alone is too large. */
const withPrinted = (
  rest: Fields,
  { stdout, stderr }: Pick<Outcome, "stdout" | "stderr">,
  bytesMax: number,
): Fields | null => {
  const room = bytesMax - 1 - jsonBytes({ ...rest, deploy_stdout: "", deploy_stderr: "" });
  if (room < 0) return null;
  const half = Math.floor(room / 2);
  const stdoutEnd = keepEnd(stdout, Math.max(half, room - contentBytes(stderr)));
  const stderrEnd = keepEnd(stderr, room - contentBytes(stdoutEnd));
  return { ...rest, deploy_stdout: stdoutEnd, deploy_stderr: stderrEnd };
};

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const contentBytes = (text: string): number => jsonBytes(text) - 2;

/** The longest end of a text that takes at most so many bytes within JSON, never half a character. */
const keepEnd = (text: string, bytesMax: number): string => {
  let fits = text.length;
  let tooLong = 0;
  if (contentBytes(text) <= bytesMax) return text;
  while (fits - tooLong > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (contentBytes(text.slice(middle)) <= bytesMax) fits = middle;
    else tooLong = middle;
  }
  return text.slice(fits).replace(/^[\udc00-\udfff]/, "");
};

export interface Sending {
  /** The first delay; each further one is twice as long. */
  readonly retryMs: number;
  readonly retriesMax?: number;
  readonly answerMsMax?: number;
  readonly stop: AbortSignal;
}

export interface Answered {
  readonly delivery: Exclude<Delivery, "NOT_WANTED">;
  /** The HTTP status or the error's code, for the log. */
  readonly answer: string;
}

/** Sends until it is acknowledged, refused for good (a 4xx but 429) or out of retries. */
export const sendSignal = async (
  target: SignalTarget,
  body: Fields,
  { retryMs, retriesMax = SIGNAL_RETRIES_MAX, answerMsMax = ANSWER_MS_MAX, stop }: Sending,
): Promise<Answered> => {
  for (let retries = 0; ; retries += 1) {
    const limit = AbortSignal.any([stop, AbortSignal.timeout(answerMsMax)]);
    const answered = await attempt(target, body, limit);
    if (answered.delivery !== "PENDING" || retries === retriesMax || stop.aborted) return answered;
    const delayMs = Math.min(retryMs * 2 ** retries, BACKOFF_MS_MAX);
    await pause(delayMs, undefined, { signal: stop }).catch(() => undefined);
  }
};

const attempt = async (
  { url, verb, takesUploads }: SignalTarget,
  result: Fields,
  signal: AbortSignal,
): Promise<Answered> => {
  if (!URL.canParse(url)) return { delivery: "REFUSED", answer: "unusable signal URL" };
  try {
    const isLarge = jsonBytes(result) > BODY_BYTES_MAX;
    const ahead = isLarge && takesUploads ? await sendAhead(url, result, signal) : "no place";
    if (ahead === "not now") return { delivery: "PENDING", answer: "no upload" };
    const body = ahead === "no place" ? (isLarge ? cutBody(result) : result) : ahead;
    const response = await fetch(url, {
      method: verb,
      headers: { "Content-Type": "application/json", Accept: "*/*" },
      body: JSON.stringify(body),
      signal,
    });
    await response.body?.cancel();
    const again = response.status >= 500 || response.status === 429;
    const delivery = response.ok ? "ACKNOWLEDGED" : again ? "PENDING" : "REFUSED";
    return { delivery, answer: String(response.status) };
  } catch (error) {
    return { delivery: "PENDING", answer: failureCode(error) };
  }
};
