/**
 * Checks values against the constraints of their properties, with Heat's texts. Parameters have a
 * check of their own, since they have more kinds of numbers.
 */
import { isJsonNumber, isJsonObject, type Json, jsonEquals, magnitudeOf } from "#lib/json.ts";
import type { PropertyConstraint } from "#lib/model/property-schema.ts";
import { PatternLimitError, StepBudget } from "#lib/pattern/machine.ts";
import { Pattern, Search } from "#lib/pattern/pattern.ts";
import { PatternError } from "#lib/pattern/tokens.ts";
import { rememberingFaults } from "../faults.ts";
import { isJsonArray } from "../json-shape.ts";
import { jsonText, pythonText } from "../python-text.ts";
import { type PythonNumber, pythonMagnitude } from "../python-values.ts";
import { REDACTED } from "../secrets.ts";

export interface ConstraintCheck {
  readonly show: Show;
  readonly custom?: CustomConstraints | undefined;
}

/** How an error shows a value. Values that may be secret are not shown. */
export type Show = (text: string) => string;
export const showValue: Show = (text) => text;
export const hideValue: Show = () => REDACTED;

export interface PythonBounds {
  readonly min?: PythonNumber;
  readonly max?: PythonNumber;
}

export const isOutside = (value: bigint | number, { min, max }: PythonBounds): boolean =>
  (min !== undefined && value < pythonMagnitude(min)) ||
  (max !== undefined && value > pythonMagnitude(max));

export const outOfRange = (text: string, { min, max }: PythonBounds): string =>
  `${text} is out of range (min: ${pythonText(min ?? null)}, max: ${pythonText(max ?? null)})`;

export const lengthOf = (value: Json): number | null => {
  if (typeof value === "string") return Array.from(value).length;
  if (isJsonArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : null;
};

/** As in Heat, the value is shown as JSON: a text in quotes, a list as a list. */
export const notAllowed = (value: Json, allowed: readonly Json[], show: Show): string => {
  const [given, words] = [value, allowed].map((one) => jsonText(one, { sortKeys: false }));
  return `${show(given ?? "")} is not an allowed value ${words}`;
};

/** Each item of a list must be allowed. As in Heat, an allowed number also allows its text. */
const isAllowed = (value: Json, allowed: readonly Json[]): boolean =>
  isJsonArray(value)
    ? value.every((item) => isAllowed(item, allowed))
    : allowed.some(
        (one) => jsonEquals(one, value) || (isJsonNumber(one) && pythonText(one) === value),
      );

const patternViolation = (pattern: string, value: Json, show: Show): string | null => {
  try {
    if (typeof value === "string" && matchesWhole(pattern, value)) return null;
    return `"${show(pythonText(value))}" does not match pattern "${pattern}"`;
  } catch (failure) {
    if (failure instanceof PatternLimitError) return tooManySteps(pattern);
    throw failure;
  }
};

export const violation = (
  constraint: PropertyConstraint,
  value: Json,
  { show, custom }: ConstraintCheck,
): string | null => {
  if ("custom" in constraint) {
    return custom === undefined ? null : customViolation(custom, constraint.custom, value, show);
  }
  if ("range" in constraint) {
    if (!isJsonNumber(value)) return null;
    if (!isOutside(magnitudeOf(value), constraint.range)) return null;
    return outOfRange(show(pythonText(value)), constraint.range);
  }
  if ("length" in constraint) {
    const length = lengthOf(value);
    if (length === null || !isOutside(length, constraint.length)) return null;
    return outOfRange(`length (${show(String(length))})`, constraint.length);
  }
  if ("allowedValues" in constraint) {
    const { allowedValues } = constraint;
    if (isAllowed(value, allowedValues)) return null;
    return notAllowed(value, allowedValues, show);
  }
  return patternViolation(constraint.allowedPattern, value, show);
};

/** @returns null when the value is valid, and "" when it is invalid and Heat gives no reason */
type CustomConstraint = (value: Json) => string | null;

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

export const patternFault = rememberingFaults((pattern) => {
  try {
    new Pattern(pattern);
    return "";
  } catch (failure) {
    if (failure instanceof PatternError) return failure.message;
    throw failure;
  }
});

/** Reading and compiling a character of a pattern takes about a microsecond. */
const STEPS_A_PATTERN_CHARACTER = 10;

const compiled = new WeakMap<StepBudget, Map<string, Pattern>>();

const patternOf = (source: string, budget: StepBudget): Pattern => {
  const known = compiled.get(budget) ?? new Map<string, Pattern>();
  compiled.set(budget, known);
  const before = known.get(source);
  if (before !== undefined) return before;
  budget.spend(source.length * STEPS_A_PATTERN_CHARACTER);
  const pattern = new Pattern(source);
  known.set(source, pattern);
  return pattern;
};

/**
 * As Heat's re.match with a test of the match's end: `a|ab` refuses "ab", because "a" matches
 * first. Throws PatternLimitError.
 */
export const matchesWhole = (
  pattern: string,
  value: string,
  budget: StepBudget = new StepBudget(),
): boolean => new Search(patternOf(pattern, budget), value, budget).matchAtStart() === value.length;

/** The text does not show the value, which may be hidden. */
export const tooManySteps = (pattern: string): string =>
  `the pattern "${pattern}" takes too many steps to match`;
