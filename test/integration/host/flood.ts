import { WINDOW_MS } from "#lib/api/request-limit.ts";

/** A limit that refuses nothing must not keep a test running for more than this many windows. */
const WINDOWS_MAX = 20;
/** On an emulator each concurrent request may start a worker of its own. */
const AT_ONCE = 5;

export interface Flood {
  readonly served: number;
  readonly refused: number;
  readonly others: readonly number[];
  readonly windows: number;
  readonly retryAfter: readonly (string | null)[];
  readonly refusal: unknown;
}

const windowAt = (time: number): number => Math.floor(time / WINDOW_MS);

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

/** Each window serves exactly what it allows, if enough requests were sent in it. */
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

export const untilNextWindow = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, WINDOW_MS - (Date.now() % WINDOW_MS));
  });
