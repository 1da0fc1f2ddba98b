/**
 * A busy service may leave a part of a batch undone without reporting an error. That part is sent
 * again after a pause, as DynamoDB recommends: an immediate retry would most likely be refused too.
 * The pause is random, so that many workers do not retry at the same time.
 */
import { setTimeout as pauseFor } from "node:timers/promises";
import { RetryLater } from "#lib/errors.ts";
import type { Random } from "#lib/ports/ports.ts";
import { cryptoRandom } from "../node/platform.ts";

/** All pauses together take less than a second. */
const TRIES_MAX = 5;
const FIRST_PAUSE_MS_MAX = 50;

export interface Backoff {
  readonly pause: (ms: number) => Promise<unknown>;
  readonly random: Random;
}

export const systemBackoff = (): Backoff => ({ pause: pauseFor, random: cryptoRandom() });

const pauseBefore = ({ pause, random }: Backoff, retries: number): Promise<unknown> =>
  pause(random.below(FIRST_PAUSE_MS_MAX * 2 ** retries) + 1);

export const pauseOnce = (backoff: Backoff): Promise<unknown> =>
  pauseBefore(backoff, TRIES_MAX - 2);

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
