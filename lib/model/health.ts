/**
 * What a look at the object of a row has found. It is a fact beside the action and the status of
 * the row: a later action that does nothing about it leaves it as it is.
 */
import type { Resource } from "./resource.ts";

export const HEALTHS = [
  "as made",
  /** Its properties are others than the row's. */
  "differs",
  /** It is there, and off. */
  "stopped",
  /** It is not there any more. */
  "gone",
  /** No update in place helps: its provider or a user has said so. */
  "beyond repair",
  /** The look itself has failed, or its provider has not said what it has found. */
  "unknown",
] as const;
export type HealthState = (typeof HEALTHS)[number];

/** What a look can find, beside an object that is as it was made. */
export type Finding = Exclude<HealthState, "as made">;

export interface Health {
  readonly state: HealthState;
  /** In the words of the provider or of the user. Empty: nothing is to be said. */
  readonly what: string;
  /** The traversal that has looked last. Null: a user has said it. */
  readonly seenBy: string | null;
}

type Looked = Pick<Resource, "action" | "status" | "checkFailed" | "statusReason" | "health">;

/**
 * A former version wrote no health. A failed CHECK of its rows has said nothing more, and a row
 * that failed without a CHECK was marked by a user.
 */
export const healthOf = (row: Looked): Health => {
  if (row.health !== null) return row.health;
  if (row.action !== "CHECK" || row.status !== "FAILED") return AS_MADE;
  const state = row.checkFailed ? "unknown" : "beyond repair";
  return { state, what: row.statusReason, seenBy: null };
};

const AS_MADE: Health = { state: "as made", what: "", seenBy: null };
