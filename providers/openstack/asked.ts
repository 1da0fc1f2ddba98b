import { CallerRefused } from "#provider/errors.ts";
import type { Answer, Call } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { type RefusedProperty, refusedBy } from "#providers/server-provider.ts";
import {
  type Ask,
  type At as CallAt,
  type Step,
  type Steps,
  stepsAtOnce,
  stepsBy,
} from "#providers/steps.ts";
import {
  type Cloud,
  type CloudAnswer,
  type CloudCall,
  type Clouds,
  Impossible,
  NoProject,
  Refused,
  type Service,
  TryAgain,
  UnknownCaller,
} from "./cloud.ts";

const AGAIN_SECONDS = 2;

export interface Pace {
  readonly pollSeconds: number;
  /** Until a new object is certainly visible. */
  readonly visibleSeconds: number;
}

export const PACE: Pace = { pollSeconds: AGAIN_SECONDS, visibleSeconds: 5 };

export interface Site {
  readonly clouds: Clouds;
  readonly pace: Pace;
}

export interface InProject {
  readonly cloud: Cloud;
  readonly pace: Pace;
}

export type At<Given extends Call = Call> = CallAt<InProject, Given>;

/** Every object has a mark, so a call whose outcome is unknown is repeated. */
const askIn =
  ({ clouds, pace }: Site): Ask<InProject> =>
  async (call, work) => {
    try {
      return await work({ cloud: await clouds(call.tenant), call, pace });
    } catch (error) {
      if (error instanceof TryAgain) {
        return { state: "throttled", afterSeconds: pace.pollSeconds, reason: error.message };
      }
      if (error instanceof NoProject) throw new CallerRefused(error.message, { cause: error });
      if (error instanceof UnknownCaller) {
        throw new CallerRefused(`OpenStack: ${error.message}`, { cause: error });
      }
      if (error instanceof Impossible) return { state: "failed", reason: error.message };
      if (!(error instanceof Refused)) throw error;
      return { state: "failed", reason: `OpenStack: ${error.message}` };
    }
  };

export const stepsIn = (site: Site, steps: Steps<InProject>) => ({
  callSecondsMax: CALL_SECONDS_MAX,
  ...stepsBy(askIn(site), steps),
});

/** For a type that never waits. */
export const stepsAtOnceIn = (site: Site, steps: Steps<InProject>) => ({
  callSecondsMax: CALL_SECONDS_MAX,
  ...stepsAtOnce(askIn(site), steps),
});

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

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/**
 * A new object may not be visible yet, and a call whose answer was lost may still be running. So
 * only two misses in a row count as none.
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

/** All objects with one mark. If the object itself is not visible, the others may not be either. */
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

/** A service refuses a delete while something uses the object, which may never end. */
const IN_USE_MS_MAX = 600_000;

export const inUse = (at: At<Step>, why: string): Answer => {
  const { call } = at;
  const since = Number(call.handle ?? Number.NaN);
  const first = Number.isFinite(since) ? since : Date.now();
  if (Date.now() - first > IN_USE_MS_MAX) return { state: "failed", reason: `OpenStack: ${why}` };
  return waitFor(at, call.physicalId, String(first));
};

export const changedOutside = (names: readonly string[]): Answer => ({
  state: "failed",
  reason: `changed outside of the stack: ${names.join(", ")}`,
  health: "differs",
});

/** Throws Impossible. */
export const expectPossible = (wrong: RefusedProperty | null): void => {
  if (wrong !== null) throw new Impossible(refusedBy("OpenStack", wrong));
};

export const OWN_PROJECT = "an object belongs to the project of the application credential";

const asking =
  (service: Service) =>
  (
    { cloud, call }: Pick<At, "cloud" | "call">,
    request: Omit<CloudCall, "service" | "signal">,
  ): Promise<CloudAnswer> =>
    cloud.ask({ ...request, service, signal: call.signal });

export const askNova = asking("compute");
export const askNeutron = asking("network");
export const askCinder = asking("volume");
