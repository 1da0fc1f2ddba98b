/** How errors of an OpenStack become answers: one that is busy is asked again later. */
import { CallerRefused } from "#provider/caller-refused.ts";
import type { Answer, Call } from "#provider/provider.ts";
import { type Cloud, type Clouds, NoProject, Refused, TryAgain, UnknownCaller } from "./cloud.ts";

const AGAIN_SECONDS = 2;

/** How long a provider waits. A test's cloud is soon ready again. */
export interface Pace {
  /** Between two polls of an operation, and before a throttled call comes again. */
  readonly pollSeconds: number;
  /** Until an object that was just made can surely be seen. */
  readonly visibleSeconds: number;
}

export const PACE: Pace = { pollSeconds: AGAIN_SECONDS, visibleSeconds: 5 };

/** What the functions of a type work with. */
export interface Site {
  readonly clouds: Clouds;
  readonly pace: Pace;
}

/** A project's cloud, for one call. */
export interface At<Given extends Call = Call> {
  readonly cloud: Cloud;
  readonly call: Given;
  readonly pace: Pace;
}

/** Every object has a mark, so a call whose outcome is unknown may come again. */
export const asked = async <Given extends Call, Result>(
  { clouds, pace }: Site,
  call: Given,
  work: (at: At<Given>) => Promise<Result>,
): Promise<Result | Answer> => {
  try {
    return await work({ cloud: clouds(call.tenant), call, pace });
  } catch (error) {
    if (error instanceof TryAgain) {
      return { state: "throttled", afterSeconds: pace.pollSeconds, reason: error.message };
    }
    if (error instanceof NoProject) throw new CallerRefused(error.message, { cause: error });
    if (error instanceof UnknownCaller) {
      throw new CallerRefused(`OpenStack: ${error.message}`, { cause: error });
    }
    if (!(error instanceof Refused)) throw error;
    return { state: "failed", reason: `OpenStack: ${error.message}` };
  }
};

/** The operation goes on. */
export const waitFor = (
  { pace }: Pick<At, "pace">,
  physicalId: string,
  handle: string,
): Answer => ({
  state: "waiting",
  physicalId,
  handle,
  pollAfterSeconds: pace.pollSeconds,
});

export const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/**
 * What has just been made may not be seen yet, and a call whose answer was lost may still be on its
 * way. So nothing is there only if nothing is there twice.
 */
export const lookTwice = async <Found>(
  { pace }: Pick<At, "pace">,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  const found = await look();
  if (found !== null) return found;
  await pause(pace.visibleSeconds);
  return look();
};

/** All twins of an object. If it cannot be seen itself yet, its twins may not be seen either. */
export const twinsOf = async <Found extends { readonly id: string }>(
  { pace }: Pick<At, "pace">,
  id: string,
  look: () => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  const found = await look();
  if (found.some((one) => one.id === id)) return found;
  await pause(pace.visibleSeconds);
  return look();
};

/** The service refuses a delete while something uses the object. It tells when it never ends. */
const IN_USE_MS_MAX = 600_000;

/** A delete that goes on. `handle` is the time at which the service first refused it. */
export const inUse = (
  at: At<Call & { readonly physicalId: string; readonly handle?: string }>,
  why: string,
): Answer => {
  const { call } = at;
  const since = Number(call.handle ?? Number.NaN);
  const first = Number.isFinite(since) ? since : Date.now();
  if (Date.now() - first > IN_USE_MS_MAX) return { state: "failed", reason: `OpenStack: ${why}` };
  return waitFor(at, call.physicalId, String(first));
};

/** Of a check, with the names of what an update brings back. */
export const changedOutside = (names: readonly string[]): Answer => ({
  state: "failed",
  reason: `changed outside of the stack: ${names.join(", ")}`,
  health: "differs",
});
