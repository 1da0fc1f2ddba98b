import { setTimeout as pause } from "node:timers/promises";
import { type Fields, failureCode, jsonText } from "./json.ts";
import type { Delivery, SignalTarget } from "./records.ts";
import { isBusy, UPLOAD_BYTES_MAX, uploadResult } from "./upload.ts";

/** Below the 950,000 characters at which stock agents fail, and Heat's limit of 1 MiB. */
export const BODY_BYTES_MAX = 900_000;
/**
 * The agent does not poll while it retries, so there are few retries. The next poll reports the
 * result as undelivered, and the agent sends it again before each poll.
 */
const SIGNAL_RETRIES_MAX = 5;
/** No retry begins later than this, because an attempt without an answer takes long. */
const RETRYING_MS_MAX = 30_000;
const BACKOFF_MS_MAX = 30_000;
/** Stock agents have no such limit and hang if the engine never answers. */
const ANSWER_MS_MAX = 60_000;

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Fields;
  /** Set if the agent itself, not the script, reports the failure. */
  readonly reason?: string;
}

export const bodyBytesMaxOf = (signal: SignalTarget | null): number =>
  signal?.takesUploads === true ? UPLOAD_BYTES_MAX : BODY_BYTES_MAX;

/** Long output loses its beginning, because the end says what went wrong. */
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

/** A smaller body, for an engine whose upload did not work. */
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

const jsonBytes = (value: unknown): number => Buffer.byteLength(jsonText(value));

const contentBytes = (text: string): number => jsonBytes(text) - 2;

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
  readonly retryMs: number;
  readonly retriesMax?: number;
  readonly answerMsMax?: number;
  readonly retryingMsMax?: number;
  readonly stop: AbortSignal;
}

export interface Answered {
  readonly delivery: Exclude<Delivery, "NOT_WANTED">;
  readonly answer: string;
}

/** Sends until acknowledged, refused for good (any 4xx but 429) or out of retries. */
export const sendSignal = async (
  target: SignalTarget,
  body: Fields,
  {
    retryMs,
    retriesMax = SIGNAL_RETRIES_MAX,
    answerMsMax = ANSWER_MS_MAX,
    retryingMsMax = RETRYING_MS_MAX,
    stop,
  }: Sending,
): Promise<Answered> => {
  const startedAt = performance.now();
  for (let retries = 0; ; retries += 1) {
    const limit = AbortSignal.any([stop, AbortSignal.timeout(answerMsMax)]);
    const answered = await attempt(target, body, limit);
    const delayMs = Math.min(retryMs * 2 ** retries, BACKOFF_MS_MAX);
    const nextMs = performance.now() - startedAt + delayMs;
    const isOver = retries === retriesMax || nextMs > retryingMsMax;
    if (answered.delivery !== "PENDING" || isOver || stop.aborted) return answered;
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
    const body = await bodyToSend({ url, takesUploads }, result, signal);
    if (body === null) return { delivery: "PENDING", answer: "no upload" };
    const response = await fetch(url, {
      method: verb,
      headers: { "Content-Type": "application/json", Accept: "*/*" },
      body: jsonText(body),
      signal,
    });
    await response.body?.cancel();
    return { delivery: deliveryOf(response), answer: String(response.status) };
  } catch (error) {
    return { delivery: "PENDING", answer: failureCode(error) };
  }
};

const bodyToSend = async (
  { url, takesUploads }: Pick<SignalTarget, "url" | "takesUploads">,
  result: Fields,
  signal: AbortSignal,
): Promise<Fields | null> => {
  if (jsonBytes(result) <= BODY_BYTES_MAX) return result;
  if (!takesUploads) return cutBody(result);
  const upload = await uploadResult(url, result, signal);
  switch (upload.kind) {
    case "uploaded":
      return upload.body;
    case "unavailable":
      return cutBody(result);
    case "retry later":
      return null;
  }
};

const deliveryOf = ({ ok, status }: Response): Answered["delivery"] => {
  if (ok) return "ACKNOWLEDGED";
  return isBusy(status) ? "PENDING" : "REFUSED";
};
