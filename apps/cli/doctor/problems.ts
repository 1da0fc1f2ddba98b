import { type HealthDocument, LivenessAnswer } from "#lib/api/health.ts";
import type { Asked } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

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
