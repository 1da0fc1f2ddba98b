/** Parameter values, read as the types that the template declares. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonNumber, type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import { hideValue, type Show, showValue } from "./constraints.ts";
import { describeJsonError } from "./json-error.ts";
import {
  DEPTH_MAX,
  isDeeperThan,
  isEmpty,
  isJsonArray,
  jsonFromText,
  member,
  TOO_DEEP,
} from "./json-shape.ts";
import { numberFromText } from "./numbers.ts";
import {
  type CustomConstraints,
  constraintViolation,
  describeConstraints,
  misplacedConstraint,
} from "./parameter-constraint.ts";
import type { ParameterSchema } from "./parameter-schema.ts";
import { jsonText, pythonRepr, pythonText, pythonType } from "./python-text.ts";
import { invalidSchema } from "./schema-shape.ts";
import { REDACTED } from "./secrets.ts";
import type { ParsedTemplate } from "./template.ts";

type Reading = { readonly value: Json } | { readonly wrong: string };

const TRUE = ["1", "t", "true", "on", "y", "yes"];
const FALSE = ["0", "f", "false", "off", "n", "no"];
const ACCEPTED = [...TRUE, ...FALSE]
  .sort()
  .map((word) => `'${word}'`)
  .join(", ");

const readNumber = (value: Json, show: Show): Reading => {
  if (isJsonNumber(value) || typeof value === "boolean") return { value };
  if (typeof value !== "string") {
    const type = pythonType(value);
    return {
      wrong: `int() argument must be a string, a bytes-like object or a real number, not '${type}'`,
    };
  }
  const number = numberFromText(value);
  if (number !== null) return { value: number };
  return { wrong: `could not convert string to float: '${show(pythonRepr(value).slice(1, -1))}'` };
};

const readBoolean = (value: Json, show: Show): Reading => {
  const word = pythonText(value).trim().toLowerCase();
  if (TRUE.includes(word)) return { value: true };
  if (FALSE.includes(word)) return { value: false };
  return {
    wrong: `Unrecognized value '${show(pythonText(value))}', acceptable values are: ${ACCEPTED}`,
  };
};

const readList = (value: Json): Reading => {
  if (isJsonArray(value)) return { value: value.map(pythonText) };
  if (typeof value === "string") return { value: value === "" ? [] : value.split(",") };
  const type = pythonType(value);
  return {
    wrong: `must be a comma-delimited list string: '${type}' object has no attribute 'split'`,
  };
};

const readJson = (value: Json): Reading => {
  if (value === "") return { value };
  const read = typeof value === "string" ? jsonFromText(value) : value;
  if (read === undefined) {
    return { wrong: `must be valid JSON: ${describeJsonError(pythonText(value))}` };
  }
  return isDeeperThan(read, DEPTH_MAX) ? { wrong: `must not be ${TOO_DEEP}` } : { value: read };
};

const readValue = (schema: ParameterSchema, value: Json, show: Show): Reading => {
  switch (schema.type) {
    case "string":
      return { value: pythonText(value) };
    case "number":
      return readNumber(value, show);
    case "boolean":
      return readBoolean(value, show);
    case "comma_delimited_list":
      return readList(value);
    case "json":
      return readJson(value);
  }
};

const showOf = (schema: ParameterSchema): Show => (schema.hidden ? hideValue : showValue);

const NAMED_TYPES: ReadonlySet<string> = new Set(["comma_delimited_list", "json"]);
/** For a list and for JSON, Heat's text tells whether the value or the default is wrong. */
const wrongText = (schema: ParameterSchema, wrong: string, what: "Value" | "Default"): string =>
  NAMED_TYPES.has(schema.type) ? `${what} ${wrong}` : wrong;

/**
 * Throws Heat's InvalidSchemaError for a constraint that does not fit the type, and for a default
 * that breaks a constraint. The default counts even if the user gives another value.
 */
export const checkParameterSchemas = (schemas: ReadonlyMap<string, ParameterSchema>): void => {
  for (const schema of schemas.values()) {
    const wrong = misplacedConstraint(schema) ?? wrongDefault(schema);
    if (wrong !== null) throw invalidSchema(`Parameter '${schema.name}' is invalid: ${wrong}`);
  }
};

/** As in Heat, a default must meet a custom constraint only where it is used. */
const UNCHECKED: CustomConstraints = () => () => null;

const wrongDefault = (schema: ParameterSchema): string | null => {
  if (schema.default === null) return null;
  const show = showOf(schema);
  const reading = readValue(schema, schema.default, show);
  // As in Heat, a default of a wrong scalar type is an error only where it is used.
  if ("wrong" in reading) {
    return schema.type === "comma_delimited_list"
      ? wrongText(schema, reading.wrong, "Default")
      : null;
  }
  const wrong = constraintViolation(schema, reading.value, show, UNCHECKED);
  return wrong === null ? null : `Invalid default ${show(pythonText(schema.default))} (${wrong})`;
};

/** The user's value, else parameter_defaults, else the template's default. Null is no value. */
const rawValue = (schema: ParameterSchema, given: JsonObject, defaults: JsonObject): Json =>
  member(given, schema.name) ?? member(defaults, schema.name) ?? schema.default;

/**
 * Typed values. Throws UnknownUserParameter, UserParameterMissing, or StackValidationFailed with
 * `Parameter 'p' is invalid: …`. Unless `strict`, values may be missing or wrong, and wrong values
 * are left out.
 */
export const resolveParameters = (
  template: ParsedTemplate,
  given: JsonObject,
  defaults: JsonObject,
  {
    strict,
    customConstraints,
  }: { readonly strict: boolean; readonly customConstraints: CustomConstraints },
): ReadonlyMap<string, Json> => {
  const unknown = Object.keys(given).find((name) => !template.parameters.has(name));
  if (unknown !== undefined) {
    throw new RequestError(
      "UnknownUserParameter",
      400,
      `The Parameter (${unknown}) was not defined in template.`,
    );
  }
  const values = new Map<string, Json>();
  for (const [name, schema] of template.parameters) {
    const raw = rawValue(schema, given, defaults);
    if (raw === null) {
      if (!strict) continue;
      throw new RequestError(
        "UserParameterMissing",
        400,
        `The Parameter (${name}) was not provided.`,
      );
    }
    const show = showOf(schema);
    const reading = readValue(schema, raw, show);
    const wrong =
      "wrong" in reading
        ? wrongText(schema, reading.wrong, "Value")
        : constraintViolation(schema, reading.value, show, customConstraints);
    if (wrong !== null && strict) {
      throw validationFailed(`Parameter '${name}' is invalid: ${wrong}`);
    }
    if ("value" in reading) values.set(name, reading.value);
  }
  return values;
};

export const hiddenParameterNames = (template: ParsedTemplate): ReadonlySet<string> =>
  new Set([...template.parameters.values()].filter(({ hidden }) => hidden).map(({ name }) => name));

/** How a stack shows a value: JSON as text, a list with commas, a hidden value as ******. */
export const parameterText = (schema: ParameterSchema, value: Json): string => {
  if (schema.hidden) return REDACTED;
  if (schema.type === "json") return jsonText(value, { sortKeys: false });
  return isJsonArray(value) ? value.map(pythonText).join(",") : pythonText(value);
};

export const parameterTexts = (
  { parameters }: ParsedTemplate,
  values: ReadonlyMap<string, Json>,
): Readonly<Record<string, string>> => {
  const texts = [...parameters].flatMap(([name, schema]) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, parameterText(schema, value)]];
  });
  return Object.fromEntries(texts);
};

/** Throws Heat's ImmutableParameterModified. A parameter that is new or gone is no change. */
export const checkImmutable = (
  template: ParsedTemplate,
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
): void => {
  const changed = [...template.parameters.values()].filter(({ immutable, name }) => {
    const old = before.get(name);
    const value = after.get(name);
    return immutable && old !== undefined && value !== undefined && !jsonEquals(old, value);
  });
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name).join(", ");
  throw new RequestError(
    "ImmutableParameterModified",
    400,
    `The following parameters are immutable and may not be updated: ${names}`,
  );
};

const API_TYPES: Readonly<Record<ParameterSchema["type"], string>> = {
  string: "String",
  number: "Number",
  comma_delimited_list: "CommaDelimitedList",
  json: "Json",
  boolean: "Boolean",
};

/** The `Parameters` of POST /validate. Like Heat, it returns the values that the caller sent. */
export const describeParameters = (
  template: ParsedTemplate,
  given: JsonObject = {},
  defaults: JsonObject = {},
): JsonObject => {
  const described = [...template.parameters.values()].map((schema) => {
    const value = member(given, schema.name);
    const fallback = member(defaults, schema.name) ?? schema.default;
    return [
      schema.name,
      {
        Type: API_TYPES[schema.type],
        Description: schema.description,
        NoEcho: String(schema.hidden),
        Label: schema.label,
        ...(fallback === null ? {} : { Default: fallback }),
        ...(value === undefined || isEmpty(value) ? {} : { Value: value }),
        ...describeConstraints(schema.constraints),
        ...(isEmpty(schema.tags) ? {} : { Tags: schema.tags }),
      },
    ];
  });
  return Object.fromEntries(described);
};
