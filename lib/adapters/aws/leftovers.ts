/**
 * A busy service may leave a part of a batch undone, without an error. That part is sent again, and
 * after a pause: DynamoDB asks for one, because it would most likely refuse the same part at once
 * again. The pause is random, so that many workers do not come back together.
 */
import { setTimeout as pauseFor } from "node:timers/promises";
import { RetryLater } from "#lib/errors.ts";
import type { Random } from "#lib/ports/random.ts";
import { cryptoRandom } from "../node/platform.ts";

/** Together with the longest pauses this is below a second. */
const TRIES_MAX = 5;
const FIRST_PAUSE_MS_MAX = 50;

export interface Backoff {
  readonly pause: (ms: number) => Promise<unknown>;
  readonly random: Random;
}

export const systemBackoff = (): Backoff => ({ pause: pauseFor, random: cryptoRandom() });

const pauseBefore = ({ pause, random }: Backoff, retries: number): Promise<unknown> =>
  pause(random.below(FIRST_PAUSE_MS_MAX * 2 ** retries) + 1);

/** For a caller that asks again for what was left, and does not count how often here. */
export const pauseOnce = (backoff: Backoff): Promise<unknown> =>
  pauseBefore(backoff, TRIES_MAX - 2);

/**
 * `send` returns what was left. `failure` is the text of the RetryLater after the last try.
 */
export const sendLeftovers = async <Part>(
  backoff: Backoff,
  all: readonly Part[],
  failure: string,
  send: (open: readonly Part[]) => Promise<readonly Part[]>,
): Promise<void> => {
  let open = all;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === TRIES_MAX) throw new RetryLater(failure);
    if (tries > 0) await pauseBefore(backoff, tries - 1);
    open = await send(open);
  }
};
