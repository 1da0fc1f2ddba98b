import { TryAgain } from "../cloud.ts";

/** A busy Nova has needed 30 seconds for one request. A provider's call may take longer still. */
const CALL_MS_MAX = 45_000;
const ANSWER_BYTES_MAX = 8_388_608;

export type Fetch = typeof fetch;

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const wholeText = async (answer: Response, what: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) {
      throw new TryAgain(`${what}: its answer has more than ${ANSWER_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : error.message;
};

/** Throws TryAgain if no complete answer arrives. All types refuse a redirect. */
export const askOverHttp = async (send: Fetch, call: HttpCall): Promise<HttpAnswer> => {
  const what = `${call.method} ${new URL(call.url).pathname}`;
  const limit = AbortSignal.timeout(CALL_MS_MAX);
  try {
    const answer = await send(call.url, {
      method: call.method,
      redirect: "manual",
      signal: AbortSignal.any([call.signal, limit]),
      headers: {
        accept: "application/json",
        ...call.headers,
        ...(call.json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
    });
    const text = await wholeText(answer, what);
    return { status: answer.status, headers: answer.headers, body: parsed(text) };
  } catch (error) {
    if (error instanceof TryAgain) throw error;
    throw new TryAgain(`${what}: ${reasonOf(error)}`, { cause: error });
  }
};
