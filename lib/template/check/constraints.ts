/**
 * Checks values against the constraints of their properties, with Heat's texts. Parameters have a
 * check of their own, since they have more kinds of numbers.
 */

import { LRUCache } from "lru-cache";
import { isJsonNumber, isJsonObject, type Json, jsonEquals, magnitudeOf } from "#lib/json.ts";
import type { Bounds, PropertyConstraint } from "#lib/model/property-schema.ts";
import { PatternLimitError, StepBudget } from "#lib/pattern/machine.ts";
import { Pattern, Search } from "#lib/pattern/pattern.ts";
import { PatternError } from "#lib/pattern/tokens.ts";
import { isJsonArray } from "../json-shape.ts";
import { jsonText, pythonText } from "../python-text.ts";
import { REDACTED } from "../secrets.ts";

export interface ConstraintCheck {
  readonly show: Show;
  readonly custom?: CustomConstraints | undefined;
}

/** How an error shows a value. Values that may be secret are not shown. */
export type Show = (text: string) => string;
export const showValue: Show = (text) => text;
export const hideValue: Show = () => REDACTED;

const outside = (value: bigint | number, { min, max }: Bounds): boolean =>
  (min !== undefined && value < magnitudeOf(min)) ||
  (max !== undefined && value > magnitudeOf(max));

const boundsText = ({ min, max }: Bounds): string =>
  `is out of range (min: ${min ?? "None"}, max: ${max ?? "None"})`;

const lengthOf = (value: Json): number | null => {
  if (typeof value === "string") return Array.from(value).length;
  if (isJsonArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : null;
};

/** Each item of a list must be allowed. As in Heat, an allowed number also allows its text. */
const isAllowed = (value: Json, allowed: readonly Json[]): boolean =>
  isJsonArray(value)
    ? value.every((item) => isAllowed(item, allowed))
    : allowed.some(
        (one) => jsonEquals(one, value) || (isJsonNumber(one) && pythonText(one) === value),
      );

const notAllowed = (value: Json, allowed: readonly Json[], show: Show): string =>
  `"${show(pythonText(value))}" is not an allowed value ${jsonText(allowed, { sortKeys: false })}`;

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
    if (!outside(magnitudeOf(value), constraint.range)) return null;
    return `${show(pythonText(value))} ${boundsText(constraint.range)}`;
  }
  if ("length" in constraint) {
    const length = lengthOf(value);
    if (length === null || !outside(length, constraint.length)) return null;
    return `length (${show(String(length))}) ${boundsText(constraint.length)}`;
  }
  if ("allowedValues" in constraint) {
    const { allowedValues } = constraint;
    return isAllowed(value, allowedValues) ? null : notAllowed(value, allowedValues, show);
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

/** allowed_pattern: a regular expression of Python that must match the whole value. */

/** The error of each pattern, or "". YAML aliases can repeat a pattern thousands of times. */
const CHECKED_CHARACTERS_MAX = 4 * 1_024 * 1_024;
const checked = new LRUCache<string, string>({
  maxSize: CHECKED_CHARACTERS_MAX,
  sizeCalculation: (fault, pattern) => fault.length + pattern.length + 1,
});

export const patternFault = (pattern: string): string | null => {
  const fault = checked.get(pattern) ?? faultOf(pattern);
  checked.set(pattern, fault);
  return fault === "" ? null : fault;
};

const faultOf = (pattern: string): string => {
  try {
    new Pattern(pattern);
    return "";
  } catch (failure) {
    if (failure instanceof PatternError) return failure.message;
    throw failure;
  }
};

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
