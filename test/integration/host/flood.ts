/** More requests of a project than its limit allows, and how they were answered. */
import { WINDOW_MS } from "#lib/api/request-limit.ts";

/** In the limits of this many windows. A limit that refuses nothing must not keep a test. */
const WINDOWS_MAX = 20;
/** Each request at once may start a worker of its own on an emulator. */
const AT_ONCE = 5;

export interface Flood {
  readonly served: number;
  readonly refused: number;
  /** Every other status. */
  readonly others: readonly number[];
  /** How many of the limit's windows the requests may have fallen into. */
  readonly windows: number;
  /** What the refusals said about when to come again. */
  readonly retryAfter: readonly (string | null)[];
  /** The last refusal. */
  readonly refusal: unknown;
}

const windowAt = (time: number): number => Math.floor(time / WINDOW_MS);

/** Sends until as many requests are refused as one window allows. */
export const flood = async (get: () => Promise<Response>, allowed: number): Promise<Flood> => {
  const first = windowAt(Date.now());
  const statuses: number[] = [];
  const retryAfter: (string | null)[] = [];
  let refusal: unknown = null;
  const refused = (): number => statuses.filter((status) => status === 429).length;
  while (refused() < allowed && statuses.length < allowed * WINDOWS_MAX) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, get));
    for (const answer of answers) {
      statuses.push(answer.status);
      const text = await answer.text();
      if (answer.status !== 429) continue;
      retryAfter.push(answer.headers.get("Retry-After"));
      refusal = JSON.parse(text);
    }
  }
  return {
    served: statuses.filter((status) => status === 200).length,
    refused: refused(),
    others: statuses.filter((status) => status !== 200 && status !== 429),
    windows: windowAt(Date.now()) - first + 1,
    retryAfter,
    refusal,
  };
};

/** What is wrong with it. Each window serves exactly what it allows, if enough was sent in it. */
export const faultsOf = (
  { served, refused, others, windows, retryAfter }: Flood,
  allowed: number,
): readonly string[] => [
  ...(served < allowed ? [`only ${served} of ${allowed} were served`] : []),
  ...(served > allowed * windows ? [`${served} were served in ${windows} windows`] : []),
  ...(refused === 0 ? ["none was refused"] : []),
  ...others.map((status) => `one was answered ${status}`),
  ...retryAfter
    .filter((seconds) => !/^([1-9]|10)$/.test(seconds ?? ""))
    .map((seconds) => `a refusal says to come again in ${seconds} s`),
];

/** Until a request that is refused now may be served. */
export const untilNextWindow = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, WINDOW_MS - (Date.now() % WINDOW_MS));
  });
