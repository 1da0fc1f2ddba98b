/** What a deployment says of its own machine: an embedded host's storage and clock. */
import type { HealthDocument } from "#lib/api/health.ts";
import { answersOf, type Finding } from "./finding.ts";

export const tellProblems = ({ problems }: HealthDocument): readonly Finding[] =>
  problems.map(({ part, found, advice }) => {
    const { wrong, warning } = answersOf(part);
    return part === "clock" ? warning(found, advice) : wrong(found, advice);
  });

/** A host without its storage has no numbers. */
export const hasNoNumbers = ({ problems, queues }: HealthDocument): boolean =>
  problems.length > 0 && queues.length === 0;
