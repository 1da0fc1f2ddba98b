import { isJsonObject, type Json } from "#lib/json.ts";
import { isEmpty, isJsonArray, member } from "./json-shape.ts";
import { type ParameterConstraint, readConstraint } from "./parameter-constraint.ts";
import { pythonText, pythonType } from "./python-text.ts";
import { checkKeys, invalidSchema } from "./schema-shape.ts";
import { type HotVersion, isAtLeast } from "./versions.ts";

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
