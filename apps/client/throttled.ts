/**
 * Repeats a request that a limit has refused (429). The server has run no part of it, so a write
 * can be repeated too.
 */
import type { Sleep } from "./pause.ts";

const TOO_MANY_REQUESTS = 429;

/** The pauses of one request together. Hearth's windows last ten seconds. */
export const THROTTLED_MS_MAX = 60_000;
const PAUSE_MS_MIN = 1_000;

const pauseMs = (response: Response, tries: number): number => {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const wanted = Number.isFinite(seconds) ? seconds * 1_000 : PAUSE_MS_MIN * 2 ** (tries - 1);
  return Math.max(PAUSE_MS_MIN, wanted);
};

export const whileThrottled = async (
  send: () => Promise<Response>,
  wait: Sleep,
): Promise<Response> => {
  let waitedMs = 0;
  for (let tries = 1; ; tries += 1) {
    const response = await send();
    if (response.status !== TOO_MANY_REQUESTS) return response;
    const nextMs = pauseMs(response, tries);
    if (waitedMs + nextMs > THROTTLED_MS_MAX) return response;
    await response.body?.cancel();
    await wait(nextMs);
    waitedMs += nextMs;
  }
};
