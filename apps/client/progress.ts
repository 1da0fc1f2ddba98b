import type { WireEvent, WireStack } from "./wire.ts";

export type StackVerb =
  | "CREATE"
  | "UPDATE"
  | "DELETE"
  | "SUSPEND"
  | "RESUME"
  | "CHECK"
  | "ADOPT"
  | "SNAPSHOT"
  | "RESTORE"
  | "CANCEL";

export interface StackOperation {
  readonly stack: Pick<WireStack, "id" | "stack_name">;
  readonly verb: StackVerb;
  /** The id of the last event before the operation; null for a stack that had none. */
  readonly marker: string | null;
  readonly goodEnds: readonly string[];
}

export const isStackEvent = (stack: StackOperation["stack"], event: WireEvent): boolean =>
  event.resource_name === stack.stack_name && event.physical_resource_id === stack.id;

/**
 * Each accepted operation begins with an event of its own. The first one after the marker is ours,
 * and so is a rollback. Any later one is another user's.
 * @returns the action that took over, or null.
 */
export const overtakenBy = (
  { stack, verb }: StackOperation,
  events: readonly WireEvent[],
  status: string,
): string | null => {
  const begun = events
    .filter((event) => isStackEvent(stack, event))
    .map((event) => event.resource_status)
    .filter((state) => state.endsWith("_IN_PROGRESS"))
    .map(actionOf);
  const others = begun.slice(1).filter((action) => action !== "ROLLBACK");
  const now = actionOf(status);
  const foreign = verb !== "CANCEL" && now !== verb && now !== "ROLLBACK";
  return others.at(-1) ?? (foreign ? now : null);
};

/** A successful rollback has its own reason, but the user wants the reason why it started. */
export const failureReason = (
  operation: StackOperation,
  events: readonly WireEvent[],
  stack: Pick<WireStack, "stack_status" | "stack_status_reason">,
): string => {
  if (!stack.stack_status.startsWith("ROLLBACK_")) return stack.stack_status_reason ?? "";
  const start = events.find(
    (event) =>
      isStackEvent(operation.stack, event) && event.resource_status === "ROLLBACK_IN_PROGRESS",
  );
  return start?.resource_status_reason || stack.stack_status_reason || "";
};

export const isEnd = (status: string): boolean => !status.endsWith("_IN_PROGRESS");

const actionOf = (status: string): string => status.replace(/_(IN_PROGRESS|COMPLETE|FAILED)$/, "");
