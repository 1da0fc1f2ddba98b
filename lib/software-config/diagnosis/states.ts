/** The states that a deployment has been through, as far as they are known. */
import type { DiagnosisFacts, DiagnosisState, HistoryEntry } from "./facts.ts";

export const isOver = ({ deployment }: DiagnosisFacts): boolean =>
  deployment.status !== "IN_PROGRESS";

/** While the deployment is in progress, only publishing has written its record. */
export const publishedAt = ({
  deployment,
  delivery,
  awaitsSignal,
}: DiagnosisFacts): number | null => {
  if (delivery.publishedAt !== null) return delivery.publishedAt;
  const { status, createdAt, updatedAt } = deployment;
  if (status === "IN_PROGRESS" || !awaitsSignal) return updatedAt;
  return createdAt === updatedAt ? createdAt : null;
};

export const historyOf = (facts: DiagnosisFacts): readonly HistoryEntry[] => {
  const { deployment, delivery, awaitsSignal } = facts;
  const endedAt = awaitsSignal ? deployment.updatedAt : null;
  const known: readonly (readonly [DiagnosisState, number | null])[] = [
    ["PUBLISHED", publishedAt(facts)],
    ["FETCHED", delivery.fetchedAt],
    ["RUNNING", delivery.startedAt],
    ["APPLIED", delivery.appliedAt],
    [deployment.status, isOver(facts) ? (delivery.endedAt ?? endedAt) : null],
  ];
  return known
    .flatMap(([state, time]) => (time === null ? [] : [{ state, time }]))
    .toSorted((left, right) => left.time - right.time);
};

export const stateOf = (facts: DiagnosisFacts): DiagnosisState => {
  const { deployment, delivery, awaitsSignal } = facts;
  if (isOver(facts) && awaitsSignal) return deployment.status;
  if (delivery.startedAt !== null) return "RUNNING";
  if (delivery.appliedAt !== null) return "APPLIED";
  if (delivery.fetchedAt !== null) return "FETCHED";
  return isOver(facts) ? deployment.status : "PUBLISHED";
};
