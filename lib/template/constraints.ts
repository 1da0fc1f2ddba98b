/**
 * Checks values against the constraints of their properties, with Heat's texts. Parameters have a
 * check of their own, since they have more kinds of numbers.
 */
import { isJsonNumber, isJsonObject, type Json, jsonEquals, magnitudeOf } from "#lib/json.ts";
import type { Bounds, PropertyConstraint } from "#lib/model/property-schema.ts";
import { PatternLimitError } from "#lib/pattern/steps.ts";
import { type CustomConstraints, customViolation } from "./custom-constraint.ts";
import { isJsonArray } from "./json-shape.ts";
import { matchesWhole, tooManySteps } from "./pattern.ts";
import { jsonText, pythonText } from "./python-text.ts";
import { REDACTED } from "./secrets.ts";

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
