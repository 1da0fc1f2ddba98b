import { RequestError, validationFailed } from "#lib/errors.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEquals,
  mapOf,
  mergedMaps,
} from "#lib/json.ts";
import { StepBudget } from "#lib/pattern/machine.ts";
import { type CustomConstraints, hideValue, type Show, showValue } from "../check/constraints.ts";
import { refusal } from "../faults.ts";
import { describeJsonError } from "../json-error.ts";
import {
  DEPTH_MAX,
  isDeeperThan,
  isEmpty,
  isJsonArray,
  jsonFromText,
  member,
  TOO_DEEP,
} from "../json-shape.ts";
import { jsonText, noAttribute, pythonText } from "../python-text.ts";
import { booleanOf, notABoolean, notANumber, pythonNumberOf } from "../python-values.ts";
import { isPseudoName } from "../scope.ts";
import { REDACTED } from "../secrets.ts";
import type { ParsedTemplate } from "../template.ts";
import { constraintViolation, misplacedConstraint } from "./parameter-check.ts";
import { describeConstraints, invalidSchema } from "./parameter-constraint.ts";
import type { ParameterSchema } from "./parameter-schema.ts";

const showOf = (schema: ParameterSchema): Show => (schema.hidden ? hideValue : showValue);

const IS_READ: ReadonlySet<string> = new Set(["comma_delimited_list", "json"]);

const wrongText = (schema: ParameterSchema, wrong: string, what: "Value" | "Default"): string =>
  IS_READ.has(schema.type) ? `${what} ${wrong}` : wrong;

/** As in Heat, a default must meet a custom constraint only where it is used. */
const UNCHECKED: CustomConstraints = () => () => null;

/** Heat checks a default as written. Only a list is parsed, and "" becomes a list of one text. */
const readDefault = (schema: ParameterSchema, show: Show): Reading => {
  const value = schema.default;
  if (schema.type !== "comma_delimited_list") return { value };
  return value === "" ? { value: [""] } : readValue(schema, value, show);
};

const defaultViolation = (schema: ParameterSchema, budget: StepBudget): string | null => {
  const show = showOf(schema);
  const reading = readDefault(schema, show);
  if ("wrong" in reading) return wrongText(schema, reading.wrong, "Default");
  const shown = show(pythonText(schema.default));
  try {
    const wrong = constraintViolation(schema, reading.value, { show, custom: UNCHECKED, budget });
    return wrong === null ? null : `Invalid default ${shown} (${wrong})`;
  } catch (failure) {
    const isPythons = failure instanceof RequestError && failure.code === "TypeError";
    if (!isPythons) throw failure;
    return `Invalid default ${shown} (${failure.message})`;
  }
};

/**
 * Throws Heat's InvalidSchemaError for a constraint that does not fit the type, and for a default
 * that violates a constraint. The default is checked even if the user gives another value.
 */
const checkSchema = (schema: ParameterSchema, budget: StepBudget): void => {
  const wrong =
    misplacedConstraint(schema, schema.typeName) ??
    (schema.default === null ? null : defaultViolation(schema, budget));
  if (wrong !== null) throw invalidSchema(`Parameter '${schema.name}' is invalid: ${wrong}`);
};

const checkKnown = ({ parameters }: ParsedTemplate, given: JsonObject): void => {
  const unknown = Object.keys(given).find((name) => !parameters.has(name));
  if (unknown === undefined) return;
  throw refusal("UnknownUserParameter", `The Parameter (${unknown}) was not defined in template.`);
};

/** The user's value, else parameter_defaults, else the template's default. Null is no value. */
const rawValue = (schema: ParameterSchema, given: JsonObject, defaults: JsonObject): Json =>
  member(given, schema.name) ?? member(defaults, schema.name) ?? schema.default;

const valueViolation = (
  schema: ParameterSchema,
  raw: Json,
  custom: CustomConstraints,
  budget: StepBudget,
): string | null => {
  const show = showOf(schema);
  const reading = readValue(schema, raw, show);
  if ("wrong" in reading) return wrongText(schema, reading.wrong, "Value");
  const value = IS_READ.has(schema.type) ? reading.value : raw;
  return constraintViolation(schema, value, { show, custom, budget });
};

const checkValue = (
  schema: ParameterSchema,
  raw: Json,
  custom: CustomConstraints,
  budget: StepBudget,
): void => {
  if (raw === null) {
    throw refusal("UserParameterMissing", `The Parameter (${schema.name}) was not provided.`);
  }
  const wrong = valueViolation(schema, raw, custom, budget);
  if (wrong !== null) throw validationFailed(`Parameter '${schema.name}' is invalid: ${wrong}`);
};

/**
 * Throws for an unknown parameter, and then for the first wrong schema or value, in the order of
 * the template. If `customConstraints` is null, only the schemas are checked.
 */
export const checkParameters = (
  template: ParsedTemplate,
  given: JsonObject,
  defaults: JsonObject,
  customConstraints: CustomConstraints | null,
): void => {
  checkKnown(template, given);
  const budget = new StepBudget();
  for (const schema of template.parameters.values()) {
    checkSchema(schema, budget);
    if (customConstraints === null) continue;
    checkValue(schema, rawValue(schema, given, defaults), customConstraints, budget);
  }
};

export const readParameterValues = (
  { parameters }: ParsedTemplate,
  given: JsonObject,
  defaults: JsonObject,
): ReadonlyMap<string, Json> => {
  const values = new Map<string, Json>();
  for (const [name, schema] of parameters) {
    const raw = rawValue(schema, given, defaults);
    const reading = raw === null ? null : readValue(schema, raw, showOf(schema));
    if (reading !== null && "value" in reading) values.set(name, reading.value);
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
  const texts = [...parameters].flatMap(([name, schema]): [string, string][] => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, parameterText(schema, value)]];
  });
  return mapOf(texts);
};

export const checkImmutable = (
  template: ParsedTemplate,
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
): void => {
  const changed = [...template.parameters.values()].filter(({ immutable, name }) => {
    const old = before.get(name);
    const value = after.get(name);
    if (!immutable || isPseudoName(name, template)) return false;
    return old !== undefined && value !== undefined && !jsonEquals(old, value);
  });
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name).join(", ");
  throw refusal(
    "ImmutableParameterModified",
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

/**
 * The `Parameters` of POST /validate. As in Heat, it includes the values that the caller sent, and
 * no parameter of the template that has the name of one that every stack has.
 */
export const describeParameters = (
  template: ParsedTemplate,
  given: JsonObject = {},
  defaults: JsonObject = {},
): JsonObject => {
  const own = [...template.parameters.values()].filter(({ name }) => !isPseudoName(name, template));
  const described = own.map((schema): [string, Json] => {
    const value = member(given, schema.name);
    const fallback = member(defaults, schema.name) ?? schema.default;
    return [
      schema.name,
      mergedMaps<Json>(
        {
          Type: API_TYPES[schema.type],
          Description: schema.description,
          NoEcho: String(schema.hidden),
          Label: schema.label,
          ...(fallback === null ? {} : { Default: fallback }),
          ...(value === undefined || isEmpty(value) ? {} : { Value: value }),
          ...(isEmpty(schema.tags) ? {} : { Tags: schema.tags }),
        },
        describeConstraints(schema.constraints),
      ),
    ];
  });
  return mapOf(described);
};

type Reading = { readonly value: Json } | { readonly wrong: string };

export const listFromText = (text: string): readonly string[] =>
  text === "" ? [] : text.split(",");

const readList = (value: Json): Reading => {
  if (isJsonArray(value)) return { value: value.map(pythonText) };
  if (typeof value === "string") return { value: listFromText(value) };
  return { wrong: `must be a comma-delimited list string: ${noAttribute(value, "split")}` };
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
    case "number": {
      const number = pythonNumberOf(value);
      return number === null ? { wrong: notANumber(value, show) } : { value: number };
    }
    case "boolean": {
      const text = pythonText(value);
      const word = booleanOf(text);
      return word === null ? { wrong: notABoolean(show(text)) } : { value: word };
    }
    case "comma_delimited_list":
      return readList(value);
    case "json":
      return readJson(value);
  }
};

const groupError = (place: string, reason: string): RequestError =>
  validationFailed(`Parameter Groups error: ${place}: ${reason}`);

export const checkParameterGroups = ({
  parameterGroups: groups,
  parameters,
}: ParsedTemplate): void => {
  if (isEmpty(groups)) return;
  if (!isJsonArray(groups)) {
    throw groupError("parameter_groups", "The parameter_groups should be a list.");
  }
  const assigned = new Set<string>();
  for (const group of groups) {
    const label = isJsonObject(group) ? member(group, "label") : undefined;
    const names = isJsonObject(group) ? member(group, "parameters") : undefined;
    const place = `parameter_groups.${pythonText(label ?? "")}`;
    if (names === undefined) {
      throw groupError(place, "The parameters must be provided for each parameter group.");
    }
    if (!isJsonArray(names)) {
      throw groupError(place, "The parameters of parameter group should be a list.");
    }
    for (const name of names.map(pythonText)) {
      if (assigned.has(name)) {
        throw groupError(
          place,
          `The ${name} parameter must be assigned to one parameter group only.`,
        );
      }
      if (!parameters.has(name)) {
        throw groupError(
          place,
          `The grouped parameter ${name} does not reference a valid parameter.`,
        );
      }
      assigned.add(name);
    }
  }
};
