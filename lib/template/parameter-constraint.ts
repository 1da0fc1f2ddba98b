/** The constraints of parameters: more rules than for properties, and a text by the author. */
import {
  isInteger,
  isJsonNumber,
  type Json,
  type JsonNumber,
  type JsonObject,
  magnitudeOf,
} from "#lib/json.ts";
import type { Bounds, PropertyConstraint } from "#lib/model/property-schema.ts";
import { isAllowed, notAllowed, type Show, violation } from "./constraints.ts";
import { isJsonArray, member } from "./json-shape.ts";
import { numberFromText } from "./numbers.ts";
import type { ParameterSchema, ParameterType } from "./parameter-schema.ts";
import { compilePattern } from "./pattern.ts";
import { pythonRepr, pythonText } from "./python-text.ts";
import { checkKeys, invalidSchema } from "./schema-shape.ts";
import { type HotVersion, isAtLeast } from "./versions.ts";

interface Modulo {
  readonly step: JsonNumber;
  readonly offset: JsonNumber;
}

export type ParameterRule =
  | PropertyConstraint
  | { readonly modulo: Modulo }
  | { readonly customConstraint: string };

/** Null: the value is right. Empty: it is wrong, and Heat gives no reason. */
export type CustomConstraint = (text: string) => string | null;

/** The check of that name; null: there is none. */
export type CustomConstraints = (name: string) => CustomConstraint | null;

export interface ParameterConstraint {
  readonly rule: ParameterRule;
  /** The author's error text, shown instead of Heat's; empty: there is none. */
  readonly description: string;
}

const numberOf = (value: Json | undefined): JsonNumber | undefined => {
  if (value === undefined || value === null) return undefined;
  const number = isJsonNumber(value) ? value : numberFromText(pythonText(value));
  if (number !== null) return number;
  throw invalidSchema(`could not convert string to float: ${pythonRepr(value)}`);
};

const readBounds = (value: Json, entity: "range" | "length"): Bounds => {
  const source = checkKeys(value, ["min", "max"], `${entity} constraint`);
  const min = numberOf(member(source, "min"));
  const max = numberOf(member(source, "max"));
  const given = [min, max].filter((bound) => bound !== undefined);
  if (given.length === 0) {
    throw invalidSchema(
      `A ${entity} constraint must have a min value and/or a max value specified.`,
    );
  }
  if (entity === "length" && !given.every(isInteger)) {
    throw invalidSchema("min/max length must be integral");
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
};

const absolute = (value: bigint | number): bigint | number => (value < 0 ? -value : value);

const readModulo = (value: Json): Modulo => {
  const source = checkKeys(value, ["step", "offset"], "modulo constraint");
  const step = numberOf(member(source, "step"));
  const offset = numberOf(member(source, "offset"));
  if (step === undefined || offset === undefined) {
    throw invalidSchema(
      "A modulo constraint must have a step value and an offset value specified.",
    );
  }
  const [stepSize, offsetSize] = [magnitudeOf(step), magnitudeOf(offset)];
  if (![stepSize, offsetSize].every((size) => Number.isInteger(Number(size)))) {
    throw invalidSchema("step/offset must be integer");
  }
  if (isSame(stepSize, 0)) throw invalidSchema("step cannot be 0.");
  if (absolute(offsetSize) >= absolute(stepSize)) {
    throw invalidSchema("offset must be smaller (by absolute value) than step.");
  }
  if (offsetSize !== 0 && offsetSize < 0 !== stepSize < 0) {
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
  const pattern = compilePattern(value);
  if (typeof pattern !== "string") return value;
  throw invalidSchema(`AllowedPattern "${value}" is not a regular expression: ${pattern}`);
};

type ReadRule = (value: Json) => ParameterRule;

/** In Heat's order: if an item has two rules, the first one here counts. */
export const RULES = {
  modulo: (value) => ({ modulo: readModulo(value) }),
  range: (value) => ({ range: readBounds(value, "range") }),
  length: (value) => ({ length: readBounds(value, "length") }),
  allowed_values: (value) => ({ allowedValues: readAllowedValues(value) }),
  allowed_pattern: (value) => ({ allowedPattern: readPattern(value) }),
  custom_constraint: (value) => ({ customConstraint: pythonText(value) }),
} satisfies Readonly<Record<string, ReadRule>>;

/** Throws Heat's InvalidSchemaError. */
export const readConstraint = (value: Json, version: HotVersion): ParameterConstraint => {
  const readers = Object.entries<ReadRule>(RULES).filter(
    ([key]) => key !== "modulo" || isAtLeast(version, "2017-02-24"),
  );
  const keys = [...readers.map(([key]) => key), "description"];
  const source = checkKeys(value, keys, "parameter constraints");
  for (const [key, read] of readers) {
    const content = member(source, key);
    if (content === undefined) continue;
    return { rule: read(content), description: pythonText(member(source, "description") ?? "") };
  }
  throw invalidSchema("No constraint expressed");
};

/** Heat's name of a rule, and the types that it fits. */
const kindOf = (
  rule: ParameterRule,
): { readonly name: string; readonly types: readonly ParameterType[] } => {
  const scalars: readonly ParameterType[] = ["string", "number", "boolean", "comma_delimited_list"];
  if ("modulo" in rule) return { name: "Modulo", types: ["number"] };
  if ("range" in rule) return { name: "Range", types: ["number"] };
  if ("length" in rule)
    return { name: "Length", types: ["string", "comma_delimited_list", "json"] };
  if ("allowedValues" in rule) return { name: "AllowedValues", types: scalars };
  if ("allowedPattern" in rule) return { name: "AllowedPattern", types: ["string"] };
  return { name: "CustomConstraint", types: scalars };
};

/** The error text for a constraint that does not fit the parameter's type; null: all fit. */
export const misplacedConstraint = (schema: ParameterSchema): string | null => {
  for (const { rule } of schema.constraints) {
    const { name, types } = kindOf(rule);
    if (types.includes(schema.type)) continue;
    return `${name} constraint invalid for ${schema.typeName}`;
  }
  return null;
};

/** Python's remainder has the divisor's sign, JavaScript's the dividend's. */
const remainderOf = (value: JsonNumber, step: JsonNumber): bigint | number => {
  if (isInteger(value) && isInteger(step)) {
    const divisor = BigInt(magnitudeOf(step));
    return ((BigInt(magnitudeOf(value)) % divisor) + divisor) % divisor;
  }
  const divisor = Number(magnitudeOf(step));
  return ((Number(magnitudeOf(value)) % divisor) + divisor) % divisor;
};

const isSame = (left: bigint | number, right: bigint | number): boolean =>
  left >= right && left <= right;

const moduloViolation = ({ step, offset }: Modulo, value: Json, show: Show): string | null => {
  const remainder = isJsonNumber(value) ? remainderOf(value, step) : 0;
  if (isSame(remainder, magnitudeOf(offset))) return null;
  return `${show(pythonText(value))} is not a multiple of ${step} with an offset of ${offset}`;
};

/** Heat reads the allowed values as the parameter's type: the number 2 allows "2". */
const readAs = (
  schema: ParameterSchema,
  allowed: readonly Json[],
): Json[] | { readonly wrong: Json } => {
  if (schema.type === "string" || schema.type === "comma_delimited_list")
    return allowed.map(pythonText);
  if (schema.type !== "number") return [...allowed];
  const numbers = allowed.map((value) =>
    typeof value === "string" ? numberFromText(value) : value,
  );
  const at = numbers.indexOf(null);
  return at === -1 ? numbers : { wrong: allowed[at] ?? null };
};

const customViolation = (
  constraints: CustomConstraints,
  name: string,
  text: string,
  show: Show,
): string | null => {
  const check = constraints(name);
  const shown = show(text);
  if (check === null) return `"${shown}" does not validate ${name} (constraint not found)`;
  const reason = check(text);
  if (reason === null) return null;
  const words = reason === "" ? "" : `: ${shown === text ? reason : "the value is not valid"}`;
  return `Error validating value '${shown}'${words}`;
};

type OwnRule = Exclude<ParameterRule, { readonly customConstraint: string }>;

const ruleViolation = (
  schema: ParameterSchema,
  rule: OwnRule,
  value: Json,
  show: Show,
): string | null => {
  if ("modulo" in rule) return moduloViolation(rule.modulo, value, show);
  if (!("allowedValues" in rule)) return violation(rule, value, show);
  const allowed = readAs(schema, rule.allowedValues);
  if ("wrong" in allowed) {
    return `Value "${pythonText(allowed.wrong)}" is invalid for data type "${schema.type}".`;
  }
  return isAllowed(value, allowed) ? null : notAllowed(value, rule.allowedValues, show);
};

/** The error text for the first constraint that a value breaks; null: it breaks none. */
export const constraintViolation = (
  schema: ParameterSchema,
  value: Json,
  show: Show,
  customConstraints: CustomConstraints,
): string | null => {
  for (const { rule, description } of schema.constraints) {
    const wrong =
      "customConstraint" in rule
        ? customViolation(customConstraints, rule.customConstraint, pythonText(value), show)
        : ruleViolation(schema, rule, value, show);
    if (wrong !== null) return description === "" ? wrong : description;
  }
  return null;
};

const bounds = (noun: string, { min, max }: Bounds): JsonObject => ({
  ...(min === undefined ? {} : { [`Min${noun}`]: min }),
  ...(max === undefined ? {} : { [`Max${noun}`]: max }),
});

const describeRule = (rule: ParameterRule): JsonObject => {
  if ("modulo" in rule) return { Step: rule.modulo.step, Offset: rule.modulo.offset };
  if ("range" in rule) return bounds("Value", rule.range);
  if ("length" in rule) return bounds("Length", rule.length);
  if ("allowedValues" in rule) return { AllowedValues: rule.allowedValues };
  if ("allowedPattern" in rule) return { AllowedPattern: rule.allowedPattern };
  return { CustomConstraint: rule.customConstraint };
};

/** The form of POST /validate. */
export const describeConstraints = (constraints: readonly ParameterConstraint[]): JsonObject => {
  const texts = constraints.map(({ description }) => description).filter((text) => text !== "");
  const rules = constraints.map(({ rule }) => describeRule(rule));
  const described: JsonObject = Object.assign({}, ...rules);
  return texts.length === 0 ? described : { ...described, ConstraintDescription: texts.join(" ") };
};
