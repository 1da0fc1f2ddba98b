/**
 * How slow machine and emulator are, as a factor of a quiet machine. All waits are counted at this
 * pace, so no story's verdict depends on how fast the machine is.
 */
const LOOK_MS = 1_000;
const SAMPLES = 9;
const SAMPLE_MS_MAX = 60_000;
/** A request to a warm function on a quiet machine, with room for slower machines. */
const REQUEST_MS = 60;
/** Two deployments side by side on a quiet machine. */
const DEPLOYMENT_MS = 60_000;
/** The pace of two processors with a load of about thirty. A lane that hangs must still end. */
const PACE_MAX = 15;

const state = { deployments: 1, requests: 1 };

const factorOf = (ms: number, quietMs: number): number =>
  Math.min(PACE_MAX, Math.max(1, ms / quietMs));

export const pace = (): number => Math.max(state.deployments, state.requests);

export const pacedSeconds = (seconds: number): number => Math.ceil(seconds * pace());

export const paceText = (): string => `a pace of ${pace().toFixed(1)}`;

export const noteDeployment = (ms: number): void => {
  state.deployments = Math.max(state.deployments, factorOf(ms, DEPLOYMENT_MS));
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** @returns null if the request failed, which says nothing about the pace. */
const requestMs = async (url: string): Promise<number | null> => {
  const begun = performance.now();
  try {
    const answer = await fetch(`${url}/`, { signal: AbortSignal.timeout(SAMPLE_MS_MAX) });
    await answer.body?.cancel();
    return performance.now() - begun;
  } catch {
    return null;
  }
};

export const watchPace = (url: string): (() => void) => {
  const samples: number[] = [];
  const watch = { stopped: false };
  const sample = async (): Promise<void> => {
    while (!watch.stopped) {
      const ms = await requestMs(url);
      if (ms !== null) samples.push(ms);
      if (samples.length > SAMPLES) samples.shift();
      if (samples.length > 0) state.requests = factorOf(median(samples), REQUEST_MS);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
    }
  };
  void sample();
  return () => {
    watch.stopped = true;
  };
};

export interface Patience {
  isOver(): boolean;
}

export const openPatience = (limitMs: number): Patience => {
  let left = limitMs;
  let last = performance.now();
  return {
    isOver: () => {
      const now = performance.now();
      left -= (now - last) / pace();
      last = now;
      return left < 0;
    },
  };
};

export const whenOver = (limitMs: number, late: () => void): (() => void) => {
  const patience = openPatience(limitMs);
  const timer = setInterval(() => {
    if (!patience.isOver()) return;
    clearInterval(timer);
    late();
  }, LOOK_MS);
  return () => clearInterval(timer);
};
