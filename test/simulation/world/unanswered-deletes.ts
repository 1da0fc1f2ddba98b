/** L11: a DELETE that waits for its server ends with the answer, or with its time. */
import type { Resource } from "#lib/model/resource.ts";
import { isWaitingType, signalKey } from "./types.ts";
import { Violation } from "./violation.ts";

export interface AnswersSeen {
  readonly blobs: { has(key: string): boolean };
  readonly clock: { now(): number };
}

/** A message that is given up is a fault, which a reader must see (P12). */
const isGivenUp = ({ status, statusReason }: Resource): boolean =>
  status === "FAILED" && statusReason.includes("given up");

export const checkUnansweredDelete = (
  before: Resource | null,
  after: Resource,
  answers: AnswersSeen,
): void => {
  const operation = before?.operation ?? null;
  if (operation === null || operation.action !== "DELETE" || operation.handle === null) return;
  if (!isWaitingType(operation.type)) return;
  if (after.operation?.generation === operation.generation || isGivenUp(after)) return;
  if (answers.blobs.has(signalKey(after.id, operation.generation))) return;
  if (answers.clock.now() >= operation.deadline) return;
  throw new Violation(`L11: the DELETE of ${after.name} ended before its server has answered`);
};
