import type { HealthDocument } from "#lib/api/health.ts";
import { PROBE_SECONDS_MAX } from "#lib/engine/health-probe.ts";
import { ageText } from "../print.ts";
import type { Answered } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

/** The sweeper runs every minute, so after three minutes two runs are missing. */
export const SWEEP_AGE_MS_MAX = 180_000;
/** Above this skew the times of events look odd to people. */
export const SKEW_MS_MAX = 5_000;
/** With a larger skew a fresh signed URL expires before its use, or lives too long. */
export const SIGNED_SKEW_MS_MAX = PROBE_SECONDS_MAX * 1_000;

const SWEEPER_ADVICE =
  "Until it runs, a lost message hangs its stack. Check the schedule and the log of the sweep function, or restart an embedded host";

export const judgeSweeper = ({ now_ms, last_sweep_at_ms }: HealthDocument): Finding => {
  const { ok, wrong } = answersOf("sweeper");
  if (last_sweep_at_ms === null) {
    return wrong(
      "the sweeper has never finished (a new deployment's first run takes a minute)",
      SWEEPER_ADVICE,
    );
  }
  const age = now_ms - last_sweep_at_ms;
  if (age <= SWEEP_AGE_MS_MAX) return ok(`the sweeper finished ${ageText(age)} ago`);
  return wrong(`the sweeper last finished ${ageText(age)} ago`, SWEEPER_ADVICE);
};

export interface ClockSample {
  readonly theirs: number;
  /** The resolution of their time: a Date header has whole seconds. */
  readonly stepMs: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

const HEADER_STEP_MS = 1_000;

export const clockSample = (
  { sentAt, receivedAt, dateMs }: Answered,
  health: HealthDocument | null,
): ClockSample | null => {
  if (health) return { theirs: health.now_ms, stepMs: 0, sentAt, receivedAt };
  return dateMs === null ? null : { theirs: dateMs, stepMs: HEADER_STEP_MS, sentAt, receivedAt };
};

/** Their clock was read between sending and receiving: only what exceeds that is skew. */
export const skewMs = ({ theirs, stepMs, sentAt, receivedAt }: ClockSample): number => {
  if (theirs > receivedAt) return theirs - receivedAt;
  return Math.min(theirs + stepMs - sentAt, 0);
};

const CLOCK_ADVICE = "Set the wrong clock (NTP): this machine's, or that of an embedded host";

export const judgeClock = (sample: ClockSample | null): Finding => {
  const { ok, warning, wrong, unchecked } = answersOf("clock");
  if (sample === null) return unchecked("no answer had a time");
  const skew = skewMs(sample);
  const size = Math.abs(skew);
  const words = `the deployment's clock is ${ageText(size)} ${skew > 0 ? "ahead of" : "behind"} this machine's`;
  if (size > SIGNED_SKEW_MS_MAX) {
    return wrong(
      `${words}: more than the ${ageText(SIGNED_SKEW_MS_MAX)} that a signed request allows`,
      CLOCK_ADVICE,
    );
  }
  if (size > SKEW_MS_MAX) return warning(words, CLOCK_ADVICE);
  return ok("this machine and the deployment agree about the time");
};
