import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isEmpty, member } from "./json-shape.ts";
import { type ParameterConstraint, type ParameterRule, RULES } from "./parameter-constraint.ts";
import type { ParameterSchema, ParameterType } from "./parameter-schema.ts";
import { pythonText, pythonType } from "./python-text.ts";
import { checkKeys, invalidSchema } from "./schema-shape.ts";

export const CFN_PARAMETER_KEYS: readonly string[] = [
  "Type",
  "Default",
  "NoEcho",
  "AllowedValues",
  "AllowedPattern",
  "MaxLength",
  "MinLength",
  "MaxValue",
  "MinValue",
  "Description",
  "ConstraintDescription",
  "Label",
];

const TYPES: Readonly<Record<string, ParameterType>> = {
  String: "string",
  Number: "number",
  CommaDelimitedList: "comma_delimited_list",
  Json: "json",
  Boolean: "boolean",
};

export const CFN_PARAMETER_TYPES: readonly string[] = Object.keys(TYPES);

const boundsIn = (source: JsonObject, noun: "Value" | "Length"): Json | undefined => {
  const [min, max] = [`Min${noun}`, `Max${noun}`];
  if (!Object.hasOwn(source, min) && !Object.hasOwn(source, max)) return undefined;
  return { min: member(source, min) ?? null, max: member(source, max) ?? null };
};

/** In Heat's order. One ConstraintDescription applies to all constraints. */
const readCfnConstraints = (source: JsonObject): readonly ParameterConstraint[] => {
  const description = pythonText(member(source, "ConstraintDescription") ?? "");
  const given: readonly (readonly [Json | undefined, (value: Json) => ParameterRule])[] = [
    [boundsIn(source, "Value"), RULES.range],
    [boundsIn(source, "Length"), RULES.length],
    [member(source, "AllowedValues"), RULES.allowed_values],
    [member(source, "AllowedPattern"), RULES.allowed_pattern],
  ];
  return given.flatMap(([value, read]) =>
    value === undefined ? [] : [{ rule: read(value), description }],
  );
};

const readCfnParameter = (name: string, value: Json): ParameterSchema => {
  const source = checkKeys(value, CFN_PARAMETER_KEYS, `parameter (${name})`);
  const word = member(source, "Type");
  if (word === undefined) throw invalidSchema(`Missing parameter type for parameter: ${name}`);
  const type = typeof word === "string" && Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
  if (type === undefined) throw invalidSchema(`Invalid type (${pythonText(word)})`);
  const text = (key: string, absent: string): string => pythonText(member(source, key) ?? absent);
  return {
    name,
    type,
    typeName: pythonText(word),
    label: text("Label", name),
    description: text("Description", ""),
    default: member(source, "Default") ?? null,
    hidden: text("NoEcho", "false").toLowerCase() === "true",
    immutable: false,
    tags: [],
    constraints: readCfnConstraints(source),
  };
};

export const readCfnParameters = (
  section: Json | undefined,
): ReadonlyMap<string, ParameterSchema> => {
  if (section === undefined || isEmpty(section)) return new Map();
  if (!isJsonObject(section)) {
    throw validationFailed(`'${pythonType(section)}' object has no attribute 'items'`);
  }
  return new Map(
    Object.entries(section).map(([name, value]) => [name, readCfnParameter(name, value)] as const),
  );
};
