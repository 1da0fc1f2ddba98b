/** What a look at a row's object has found (P27). Actions that do nothing about it keep it. */
import type { Resource } from "./resource.ts";

export const HEALTHS = [
  "as made",
  "differs",
  "stopped",
  "gone",
  /** Its provider or a user has said that no update in place helps. */
  "beyond repair",
  /** The look itself has failed, or the provider has not said what it has found. */
  "unknown",
] as const;
export type HealthState = (typeof HEALTHS)[number];

export type Finding = Exclude<HealthState, "as made">;

export interface Health {
  readonly state: HealthState;
  readonly what: string;
  /** The traversal that looked last. It is null when a user has said it. */
  readonly seenBy: string | null;
}

type Looked = Pick<Resource, "action" | "status" | "checkFailed" | "statusReason" | "health">;

/**
 * Rows of a former version have no health. A failed CHECK of such a row said nothing more, and a
 * row that failed without a CHECK was marked by a user.
 */
export const healthOf = (row: Looked): Health => {
  if (row.health !== null) return row.health;
  if (row.action !== "CHECK" || row.status !== "FAILED") return AS_MADE;
  const state = row.checkFailed ? "unknown" : "beyond repair";
  return { state, what: row.statusReason, seenBy: null };
};

const AS_MADE: Health = { state: "as made", what: "", seenBy: null };
