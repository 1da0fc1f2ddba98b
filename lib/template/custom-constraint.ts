/** Constraints that have a name and a check of their own, with Heat's texts. */
import type { Json } from "#lib/json.ts";
import type { Show } from "./constraints.ts";
import { pythonText } from "./python-text.ts";

/** Null: the value is right. Empty: it is wrong, and Heat gives no reason. */
export type CustomConstraint = (value: Json) => string | null;

/** The check of that name; null: there is none. */
export type CustomConstraints = (name: string) => CustomConstraint | null;

/** The error text; null: the value is right. A reason is not shown where the value is hidden. */
export const customViolation = (
  constraints: CustomConstraints,
  name: string,
  value: Json,
  show: Show,
): string | null => {
  const check = constraints(name);
  const text = pythonText(value);
  const shown = show(text);
  if (check === null) return `"${shown}" does not validate ${name} (constraint not found)`;
  const reason = check(value);
  if (reason === null) return null;
  const words = reason === "" ? "" : `: ${shown === text ? reason : "the value is not valid"}`;
  return `Error validating value '${shown}'${words}`;
};
