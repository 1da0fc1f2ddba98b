/** What the deployment says of itself: its sweeper, and the clocks here and there. */
import type { HealthDocument } from "#lib/api/health.ts";
import { PROBE_SECONDS_MAX } from "#lib/engine/health-probe.ts";
import { ageText } from "../print.ts";
import type { Answered } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

/** It runs every minute: after this two runs are missing. */
export const SWEEP_AGE_MS_MAX = 180_000;
/** Above this the times of events look odd to people. */
export const SKEW_MS_MAX = 5_000;
/** What a fresh signed URL takes: with more it has expired before it is used, or is honoured too long. */
export const SIGNED_SKEW_MS_MAX = PROBE_SECONDS_MAX * 1_000;

const SWEEPER_ADVICE =
  "Until it runs, a lost message hangs its stack: look whether the schedule is enabled and what the sweep function's log says; an embedded host is to be restarted";

export const judgeSweeper = ({ now_ms, last_sweep_at_ms }: HealthDocument): Finding => {
  const { ok, wrong } = answersOf("sweeper");
  if (last_sweep_at_ms === null) {
    return wrong(
      "the sweeper has never come to its end (a new deployment's first run takes a minute)",
      SWEEPER_ADVICE,
    );
  }
  const age = now_ms - last_sweep_at_ms;
  if (age <= SWEEP_AGE_MS_MAX) return ok(`the sweeper came to its end ${ageText(age)} ago`);
  return wrong(`the sweeper last came to its end ${ageText(age)} ago`, SWEEPER_ADVICE);
};

export interface ClockSample {
  readonly theirs: number;
  /** How coarse their time is: a Date header has whole seconds. */
  readonly stepMs: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

const HEADER_STEP_MS = 1_000;

/** The document's own time where there is one, the Date header of the answer otherwise. */
export const clockSample = (
  { sentAt, receivedAt, dateMs }: Answered,
  health: HealthDocument | null,
): ClockSample | null => {
  if (health) return { theirs: health.now_ms, stepMs: 0, sentAt, receivedAt };
  return dateMs === null ? null : { theirs: dateMs, stepMs: HEADER_STEP_MS, sentAt, receivedAt };
};

/** Only what the journey cannot explain counts: their clock was read somewhere between sending and receiving. */
export const skewMs = ({ theirs, stepMs, sentAt, receivedAt }: ClockSample): number => {
  if (theirs > receivedAt) return theirs - receivedAt;
  return Math.min(theirs + stepMs - sentAt, 0);
};

const CLOCK_ADVICE =
  "Set the clock that is wrong (NTP): this machine's, or that of the machine that an embedded host runs on";

export const judgeClock = (sample: ClockSample | null): Finding => {
  const { ok, warning, wrong, unchecked } = answersOf("clock");
  if (sample === null) return unchecked("no answer has told a time");
  const skew = skewMs(sample);
  const size = Math.abs(skew);
  const words = `the deployment's clock is ${ageText(size)} ${skew > 0 ? "ahead of" : "behind"} this machine's`;
  if (size > SIGNED_SKEW_MS_MAX) {
    return wrong(
      `${words}: more than the ${ageText(SIGNED_SKEW_MS_MAX)} that a signed request takes`,
      CLOCK_ADVICE,
    );
  }
  if (size > SKEW_MS_MAX) return warning(words, CLOCK_ADVICE);
  return ok("this machine and the deployment agree about the time");
};
