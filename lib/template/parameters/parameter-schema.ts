import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { type HotVersion, isAtLeast } from "../format.ts";
import { isEmpty, isJsonArray, member } from "../json-shape.ts";
import { noAttribute, pythonText, pythonType } from "../python-text.ts";
import {
  checkKeys,
  invalidSchema,
  type ParameterConstraint,
  type ParameterRule,
  RULES,
  readConstraint,
} from "./parameter-constraint.ts";

export const PARAMETER_TYPES = [
  "string",
  "number",
  "comma_delimited_list",
  "json",
  "boolean",
] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface ParameterSchema {
  readonly name: string;
  readonly type: ParameterType;
  /** As written, for errors. CloudFormation's formats have words of their own. */
  readonly typeName: string;
  readonly label: Json;
  readonly description: Json;
  readonly default: Json;
  /** Every view shows the value as ******. */
  readonly hidden: boolean;
  readonly immutable: boolean;
  readonly tags: Json;
  readonly constraints: readonly ParameterConstraint[];
}

export const PARAMETER_KEYS: readonly string[] = [
  "type",
  "label",
  "description",
  "default",
  "hidden",
  "constraints",
  "immutable",
  "schema",
];

const isType = (text: Json): text is ParameterType => PARAMETER_TYPES.some((type) => type === text);

const readTags = (tags: Json | undefined, name: string): Json => {
  if (tags === undefined) return [];
  if (isJsonArray(tags)) return tags;
  throw invalidSchema(`Tags property should be a list for parameter: ${name}`);
};

const readConstraints = (
  name: string,
  constraints: Json,
  version: HotVersion,
): readonly ParameterConstraint[] => {
  if (isJsonArray(constraints)) return constraints.map((one) => readConstraint(one, version));
  throw invalidSchema(`Invalid parameter constraints for parameter ${name}, expected a list`);
};

const readParameter = (name: string, value: Json, version: HotVersion): ParameterSchema => {
  const keys = isAtLeast(version, "2018-03-02") ? [...PARAMETER_KEYS, "tags"] : PARAMETER_KEYS;
  const source = checkKeys(value, keys, `parameter (${name})`);
  const type = member(source, "type");
  if (type === undefined) throw invalidSchema(`Missing parameter type for parameter: ${name}`);
  const tags = readTags(member(source, "tags"), name);
  const constraints = readConstraints(name, member(source, "constraints") ?? [], version);
  if (!isType(type)) throw invalidSchema(`Invalid type (${pythonText(type)})`);
  const written = (key: string, absent: string): Json => {
    const value = member(source, key);
    return value === undefined || isEmpty(value) ? absent : value;
  };
  return {
    name,
    type,
    typeName: type,
    label: written("label", name),
    description: written("description", ""),
    default: member(source, "default") ?? null,
    // Python's truth decides, so even the text "false" means yes.
    hidden: !isEmpty(member(source, "hidden")),
    immutable: !isEmpty(member(source, "immutable")),
    tags,
    constraints,
  };
};

export const readParameters = (
  section: Json | undefined,
  version: HotVersion,
): ReadonlyMap<string, ParameterSchema> => {
  if (section === undefined || isEmpty(section)) return new Map();
  if (!isJsonObject(section)) {
    throw invalidSchema(
      `The parameters section must be a map of parameters. Found a ${pythonType(section)} instead`,
    );
  }
  const schemas = Object.entries(section).map(
    ([name, value]) => [name, readParameter(name, value, version)] as const,
  );
  return new Map(schemas);
};

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
  const type = typeof word === "string" ? member(TYPES, word) : undefined;
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
  if (!isJsonObject(section)) throw validationFailed(noAttribute(section, "items"));
  return new Map(
    Object.entries(section).map(([name, value]) => [name, readCfnParameter(name, value)] as const),
  );
};
