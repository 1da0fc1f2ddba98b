import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { ParameterCheck, PropertySchema } from "#lib/model/property-schema.ts";
import { PatternLimitError, StepBudget } from "#lib/pattern/machine.ts";
import {
  type CustomConstraints,
  customViolation,
  isOutside,
  lengthOf,
  matchesWhole,
  notAllowed,
  outOfRange,
  type Show,
  showValue,
  tooManySteps,
} from "../check/constraints.ts";
import { isJsonArray } from "../json-shape.ts";
import { pythonText, pythonType } from "../python-text.ts";
import { booleanOf, equalityText, pythonMagnitude } from "../python-values.ts";
import {
  invalidSchema,
  type Modulo,
  type ParameterRule,
  pythonError,
  toNumber,
} from "./parameter-constraint.ts";
import { PARAMETER_TYPES, type ParameterSchema, type ParameterType } from "./parameter-schema.ts";

interface ValueCheck {
  readonly show: Show;
  readonly custom: CustomConstraints;
  readonly budget: StepBudget;
}

interface Kind {
  readonly name: string;
  readonly types: readonly ParameterType[];
}

const kindOf = (rule: ParameterRule): Kind => {
  const allButJson = PARAMETER_TYPES.filter((type) => type !== "json");
  if ("modulo" in rule) return { name: "Modulo", types: ["number"] };
  if ("range" in rule) return { name: "Range", types: ["number"] };
  if ("length" in rule) {
    return { name: "Length", types: ["string", "comma_delimited_list", "json"] };
  }
  if ("allowedValues" in rule) return { name: "AllowedValues", types: allButJson };
  if ("allowedPattern" in rule) return { name: "AllowedPattern", types: ["string"] };
  return { name: "CustomConstraint", types: allButJson };
};

export const misplacedConstraint = (
  { type, constraints }: ParameterSchema,
  typeName: string,
): string | null => {
  const wrong = constraints
    .map(({ rule }) => kindOf(rule))
    .find(({ types }) => !types.includes(type));
  return wrong === undefined ? null : `${wrong.name} constraint invalid for ${typeName}`;
};

/** Python's remainder has the divisor's sign, JavaScript's the dividend's. */
const remainderOf = (value: bigint | number, step: bigint | number): bigint | number => {
  if (Number.isInteger(value) || typeof value === "bigint") {
    const isWhole = typeof step === "bigint" || Number.isInteger(step);
    if (isWhole) {
      const divisor = BigInt(step);
      return ((BigInt(value) % divisor) + divisor) % divisor;
    }
  }
  const divisor = Number(step);
  const remainder = Number(value) % divisor;
  return remainder !== 0 && remainder < 0 !== divisor < 0 ? remainder + divisor : remainder;
};

const moduloViolation = ({ step, offset }: Modulo, value: Json, show: Show): string | null => {
  const remainder = remainderOf(pythonMagnitude(toNumber(value, show)), pythonMagnitude(step));
  const wanted = pythonMagnitude(offset);
  if (remainder >= wanted && remainder <= wanted) return null;
  return `${show(pythonText(value))} is not a multiple of ${pythonText(step)} with an offset of ${pythonText(offset)}`;
};

interface TypeOf {
  readonly type: ParameterType;
  readonly title: string;
}

/** Heat reads values and the allowed values as the parameter's type: the number 2 allows "2". */
const asType = ({ type, title }: TypeOf, value: Json, show: Show): Json => {
  const wrong = (): RequestError =>
    pythonError(
      "ValueError",
      `Value "${show(pythonText(value))}" is invalid for data type "${title}".`,
    );
  if (type === "string") return pythonText(value);
  if (type === "boolean") {
    const word = booleanOf(pythonText(value));
    if (word === null) throw wrong();
    return word;
  }
  if (type !== "number") return value;
  try {
    return toNumber(value);
  } catch (failure) {
    throw failure instanceof RequestError && failure.code === "ValueError" ? wrong() : failure;
  }
};

const isAllowed = (typeOf: TypeOf, value: Json, allowed: readonly Json[], show: Show): boolean => {
  if (isJsonArray(value)) {
    // Both lists may be long, so the time must not grow with their product.
    const known = new Set(allowed.map(equalityText));
    return value.every((item) => known.has(equalityText(item)));
  }
  const read = allowed.map((candidate) => asType(typeOf, candidate, showValue));
  const wanted = asType(typeOf, value, show);
  if (wanted === "nan" && typeOf.type === "number") return false;
  const text = equalityText(wanted);
  return read.some((candidate) => equalityText(candidate) === text);
};

const patternViolation = (
  pattern: string,
  value: Json,
  { show, budget }: ValueCheck,
): string | null => {
  if (typeof value !== "string") {
    const type = pythonType(value);
    throw pythonError("TypeError", `expected string or bytes-like object, got '${type}'`);
  }
  try {
    if (matchesWhole(pattern, value, budget)) return null;
    return `"${show(value)}" does not match pattern "${pattern}"`;
  } catch (failure) {
    // The author's description must not replace this error, since the value may well match.
    if (failure instanceof PatternLimitError)
      throw pythonError("ValueError", tooManySteps(pattern));
    throw failure;
  }
};

const ruleViolation = (
  typeOf: TypeOf,
  rule: ParameterRule,
  value: Json,
  check: ValueCheck,
): string | null => {
  const { show, custom } = check;
  if ("range" in rule) {
    const isRight = !isOutside(pythonMagnitude(toNumber(value, show)), rule.range);
    return isRight ? null : outOfRange(show(pythonText(value)), rule.range);
  }
  if ("length" in rule) {
    const length = lengthOf(value);
    if (length === null) {
      throw pythonError("TypeError", `object of type '${pythonType(value)}' has no len()`);
    }
    if (!isOutside(length, rule.length)) return null;
    return outOfRange(`length (${show(String(length))})`, rule.length);
  }
  if ("modulo" in rule) return moduloViolation(rule.modulo, value, show);
  if ("allowedPattern" in rule) return patternViolation(rule.allowedPattern, value, check);
  if ("customConstraint" in rule) {
    return customViolation(custom, rule.customConstraint, value, show);
  }
  const { allowedValues } = rule;
  if (isAllowed(typeOf, value, allowedValues, show)) return null;
  return notAllowed(value, allowedValues, show);
};

/**
 * As in Heat, `value` is as the user wrote it, except that lists and JSON are parsed. Throws
 * Python's TypeError.
 */
export const constraintViolation = (
  { type, constraints }: ParameterSchema,
  value: Json,
  check: ValueCheck,
  title: string = type,
): string | null => {
  for (const { rule, description } of constraints) {
    try {
      const wrong = ruleViolation({ type, title }, rule, value, check);
      if (wrong !== null) return description === "" ? wrong : description;
    } catch (failure) {
      if (failure instanceof RequestError && failure.code === "ValueError") return failure.message;
      throw failure;
    }
  }
  return null;
};

const PROPERTY_TYPES: Readonly<
  Record<ParameterType, { readonly type: PropertySchema["type"]; readonly title: string }>
> = {
  string: { type: "string", title: "String" },
  number: { type: "number", title: "Number" },
  boolean: { type: "boolean", title: "Boolean" },
  comma_delimited_list: { type: "list", title: "List" },
  json: { type: "map", title: "Map" },
};

/** Makes the property through which a template that is used as a type gets a parameter's value. */
export const propertyOf = (
  parameter: ParameterSchema,
): Pick<PropertySchema, "type" | "parameter"> => {
  const { type, title } = PROPERTY_TYPES[parameter.type];
  const wrong = misplacedConstraint(parameter, title);
  if (wrong !== null) throw invalidSchema(wrong);
  const check: ParameterCheck = (value, show, custom) => {
    try {
      const valueCheck = { show, custom, budget: new StepBudget() };
      return constraintViolation(parameter, value, valueCheck, title);
    } catch (failure) {
      // As in Heat, Python's error for a value is reported at the property.
      if (failure instanceof RequestError) return failure.message;
      throw failure;
    }
  };
  return { type, parameter: check };
};
