import type { RequestError } from "#lib/errors.ts";
import {
  isInteger,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  mergedMaps,
} from "#lib/json.ts";
import { type PythonBounds, patternFault, type Show, showValue } from "../check/constraints.ts";
import { refusal } from "../faults.ts";
import { type HotVersion, isAtLeast } from "../format.ts";
import { isEmpty, isJsonArray, member } from "../json-shape.ts";
import { pythonText } from "../python-text.ts";
import {
  notANumber,
  type PythonNumber,
  pythonMagnitude,
  pythonNumberOf,
} from "../python-values.ts";

export interface Modulo {
  readonly step: PythonNumber;
  readonly offset: PythonNumber;
}

export type ParameterRule =
  | { readonly range: PythonBounds }
  | { readonly length: PythonBounds }
  | { readonly modulo: Modulo }
  | { readonly allowedValues: readonly Json[] }
  | { readonly allowedPattern: string }
  | { readonly customConstraint: string };

export interface ParameterConstraint {
  readonly rule: ParameterRule;
  readonly description: string;
}

/** Heat's str_to_num(). Throws Python's ValueError for text, and its TypeError otherwise. */
export const toNumber = (value: Json, show: Show = showValue): PythonNumber => {
  const number = pythonNumberOf(value);
  if (number !== null) return number;
  const type = typeof value === "string" ? "ValueError" : "TypeError";
  throw pythonError(type, notANumber(value, show));
};

const numberAt = (source: JsonObject, key: string): PythonNumber | undefined => {
  const value = member(source, key) ?? null;
  return value === null ? undefined : toNumber(value);
};

const isIntegral = (value: PythonNumber): boolean =>
  typeof value === "boolean" || (isJsonNumber(value) && isInteger(value));

const readBounds = (value: Json, entity: "range" | "length"): PythonBounds => {
  const source = checkKeys(value, ["min", "max"], `${entity} constraint`);
  const min = numberAt(source, "min");
  const max = numberAt(source, "max");
  const given = [min, max].filter((bound) => bound !== undefined);
  if (given.length === 0) {
    throw invalidSchema(
      `A ${entity} constraint must have a min value and/or a max value specified.`,
    );
  }
  if (entity === "length" && !given.every(isIntegral)) {
    throw invalidSchema("min/max length must be integral");
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
};

const absolute = (value: bigint | number): bigint | number => (value < 0 ? -value : value);

const checkIntegral = (value: PythonNumber): void => {
  if (value === "nan") {
    throw pythonError("ValueError", "cannot convert float NaN to integer");
  }
  if (value === "inf" || value === "-inf") {
    throw pythonError("OverflowError", "cannot convert float infinity to integer");
  }
  if (Number.isInteger(Number(pythonMagnitude(value)))) return;
  throw invalidSchema("step/offset must be integer");
};

const readModulo = (value: Json): Modulo => {
  const source = checkKeys(value, ["step", "offset"], "modulo constraint");
  const step = numberAt(source, "step");
  const offset = numberAt(source, "offset");
  if (step === undefined || offset === undefined) {
    throw invalidSchema(
      "A modulo constraint must have a step value and an offset value specified.",
    );
  }
  checkIntegral(step);
  checkIntegral(offset);
  const [stepSize, offsetSize] = [pythonMagnitude(step), pythonMagnitude(offset)];
  if (Number(stepSize) === 0) throw invalidSchema("step cannot be 0.");
  if (absolute(offsetSize) >= absolute(stepSize)) {
    throw invalidSchema("offset must be smaller (by absolute value) than step.");
  }
  if (Number(offsetSize) !== 0 && offsetSize < 0 !== stepSize < 0) {
    throw invalidSchema("step and offset must be both positive or both negative.");
  }
  return { step, offset };
};

const readAllowedValues = (value: Json): readonly Json[] => {
  if (isJsonArray(value)) return value;
  throw invalidSchema("AllowedValues must be a list");
};

const readPattern = (value: Json): string => {
  if (typeof value !== "string") throw invalidSchema("AllowedPattern must be a string");
  const fault = patternFault(value);
  if (fault === null) return value;
  throw invalidSchema(`AllowedPattern "${value}" is not a regular expression: ${fault}`);
};

type ReadRule = (value: Json) => ParameterRule;

/** In Heat's order: of two rules in one item, only the first in this list counts. */
export const RULES = {
  modulo: (value) => ({ modulo: readModulo(value) }),
  range: (value) => ({ range: readBounds(value, "range") }),
  length: (value) => ({ length: readBounds(value, "length") }),
  allowed_values: (value) => ({ allowedValues: readAllowedValues(value) }),
  allowed_pattern: (value) => ({ allowedPattern: readPattern(value) }),
  custom_constraint: (value) => ({ customConstraint: pythonText(value) }),
} satisfies Readonly<Record<string, ReadRule>>;
const KEYS = ["description", ...Object.keys(RULES)];

const readDescription = (value: Json | undefined): string =>
  value === undefined || isEmpty(value) ? "" : pythonText(value);

/** Early versions accept the word modulo and ignore it, as in Heat. */
export const readConstraint = (value: Json, version: HotVersion): ParameterConstraint => {
  const source = checkKeys(value, KEYS, "parameter constraints");
  for (const [key, read] of Object.entries<ReadRule>(RULES)) {
    const content = member(source, key);
    if (content === undefined) continue;
    if (key === "modulo" && !isAtLeast(version, "2017-02-24")) continue;
    return { rule: read(content), description: readDescription(source["description"]) };
  }
  throw invalidSchema("No constraint expressed");
};

const bounds = (noun: string, { min, max }: PythonBounds): JsonObject =>
  mergedMaps(
    min === undefined ? null : { [`Min${noun}`]: min },
    max === undefined ? null : { [`Max${noun}`]: max },
  );

const describeRule = (rule: ParameterRule): JsonObject => {
  if ("modulo" in rule) return { Step: rule.modulo.step, Offset: rule.modulo.offset };
  if ("range" in rule) return bounds("Value", rule.range);
  if ("length" in rule) return bounds("Length", rule.length);
  if ("allowedValues" in rule) return { AllowedValues: rule.allowedValues };
  if ("allowedPattern" in rule) return { AllowedPattern: rule.allowedPattern };
  return { CustomConstraint: rule.customConstraint };
};

export const describeConstraints = (constraints: readonly ParameterConstraint[]): JsonObject => {
  const texts = constraints.map(({ description }) => description).filter((text) => text !== "");
  const rules = constraints.map(({ rule }) => describeRule(rule));
  const description = texts.length === 0 ? null : { ConstraintDescription: texts.join(" ") };
  return mergedMaps(...rules, description);
};

export const invalidSchema = (message: string): RequestError =>
  refusal("InvalidSchemaError", message);

/** An error of Python itself. Heat answers 500 for a TypeError, but the request is wrong. */
export const pythonError = (
  type: "TypeError" | "ValueError" | "AttributeError" | "OverflowError",
  message: string,
): RequestError => refusal(type, message);

export const checkKeys = (value: Json, keys: readonly string[], entity: string): JsonObject => {
  if (!isJsonObject(value)) throw invalidSchema(`Invalid ${entity}, expected a mapping`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalidSchema(`Invalid key '${unknown}' for ${entity}`);
  return value;
};
