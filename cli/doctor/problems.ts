/** What a deployment says of its own: an embedded host's storage and clock, and what will hurt. */
import { type HealthDocument, LivenessAnswer } from "#lib/api/health.ts";
import type { Asked } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

export const tellProblems = ({ problems }: HealthDocument): readonly Finding[] =>
  problems.map(({ part, found, advice }) => {
    const { wrong, warning } = answersOf(part);
    return part === "clock" ? warning(found, advice) : wrong(found, advice);
  });

/** What will hurt later. The host knows what to do about it. */
export const tellWarnings = ({ warnings }: HealthDocument): readonly Finding[] =>
  warnings.map(({ part, found, advice }) => answersOf(part).warning(found, advice));

/** A host without its storage has no numbers. */
export const hasNoNumbers = ({ problems, queues }: HealthDocument): boolean =>
  problems.length > 0 && queues.length === 0;

/**
 * While its storage has failed, a host cannot look a token up and says one word to everybody. Null:
 * it says nothing of the kind.
 */
export const judgeLiveness = (asked: Asked): Finding | null => {
  if (asked.kind === "unanswered" || asked.status !== 200) return null;
  if (LivenessAnswer.safeParse(asked.body).data?.storage === undefined) return null;
  return answersOf("storage").wrong(
    "the host's storage is out of service, so it can look up no token",
    "Look at the host's log: it names the file and the reason. The host goes on by itself",
  );
};
