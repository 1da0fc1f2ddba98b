import * as z from "zod";
import { explainUnanswered } from "#client/unanswered.ts";
import { type HealthDocument, LivenessAnswer } from "#lib/api/health.ts";
import { ObjectsAnswer, type ObjectsDocument } from "#lib/api/leftovers.ts";
import { PROBE_SECONDS_MAX } from "#lib/engine/health-probe.ts";
import { ageText } from "../print.ts";
import { type Answered, type Asked, answersOf, type Finding } from "./check.ts";

export const tellProblems = ({ problems }: HealthDocument): readonly Finding[] =>
  problems.map(({ part, found, advice }) => {
    const { wrong, warning } = answersOf(part);
    return part === "clock" ? warning(found, advice) : wrong(found, advice);
  });

export const tellWarnings = ({ warnings }: HealthDocument): readonly Finding[] =>
  warnings.map(({ part, found, advice }) => answersOf(part).warning(found, advice));

export const hasNoNumbers = ({ problems, queues }: HealthDocument): boolean =>
  problems.length > 0 && queues.length === 0;

/**
 * While its storage has failed, a host cannot look up tokens, and answers everybody alike.
 * @returns null when the host does not report such a failure.
 */
export const judgeLiveness = (asked: Asked): Finding | null => {
  if (asked.kind === "unanswered" || asked.status !== 200) return null;
  if (LivenessAnswer.safeParse(asked.body).data?.storage === undefined) return null;
  return answersOf("storage").wrong(
    "the host's storage is out of service, so it can look up no token",
    "Look at the host's log: it names the file and the reason. The host goes on by itself",
  );
};

const buildInfoSchema = z.object({ engine: z.object({ revision: z.string().min(1) }) });

/** Operators choose the name of a revision, so any name is right. */
export const tellRevision = (asked: Asked): Finding => {
  const { ok, unchecked } = answersOf("revision");
  const body = asked.kind === "answered" && asked.status === 200 ? asked.body : null;
  const { data } = buildInfoSchema.safeParse(body);
  return data ? ok(`${data.engine.revision} runs there`) : unchecked("build_info names none");
};

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

interface ClockSample {
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

type Listed = ObjectsDocument["objects"][number];

/** Some marks have no room for the names. */
const originOf = ({ stack_id: id, stack_name: stack, resource_name: resource }: Listed): string => {
  if (stack === null || resource === null) return "";
  return `: it was made for ${resource} of ${stack}${id === null ? "" : ` (${id})`}`;
};

export const judgeObjects = (endpoint: string, asked: Asked): readonly Finding[] => {
  const { ok, warning, unchecked } = answersOf("objects");
  if (asked.kind === "unanswered") {
    return [unchecked(explainUnanswered(endpoint, asked.code).found)];
  }
  const answer = ObjectsAnswer.safeParse(asked.body);
  if (asked.status !== 200 || !answer.success) {
    return [unchecked(`the route of objects answers ${asked.status}; an older host has none`)];
  }
  const { objects, untold } = answer.data;
  const strays = objects.map((one) =>
    warning(
      `${one.resource_type} ${one.physical_resource_id} carries Hearth's mark and belongs to no stack${originOf(one)}`,
      "Remove it at its provider if nobody needs it. Another Hearth, or another project with the same account, may have it: look before you do",
    ),
  );
  const reasons = [...new Set(untold.map(({ reason }) => reason))];
  const silent = reasons.map((reason) => {
    const types = untold.filter((one) => one.reason === reason);
    return unchecked(`${types.map(({ resource_type: type }) => type).join(", ")}: ${reason}`);
  });
  return strays.length > 0
    ? [...strays, ...silent]
    : [ok("every object that the providers list belongs to a stack"), ...silent];
};
