import type { Json } from "#lib/json.ts";
import type { Show } from "./constraints.ts";
import { pythonText } from "./python-text.ts";

/** @returns null when the value is valid, and "" when it is invalid and Heat gives no reason */
export type CustomConstraint = (value: Json) => string | null;

export type CustomConstraints = (name: string) => CustomConstraint | null;

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
