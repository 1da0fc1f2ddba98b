/** The parameters section of a template. */
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
  /** As errors name it. CloudFormation's formats have words of their own. */
  readonly typeName: string;
  /** The default is the parameter's name. */
  readonly label: string;
  readonly description: string;
  /** As written; null: there is none, so the user must give a value. */
  readonly default: Json;
  /** Every view shows the value as ******. */
  readonly hidden: boolean;
  /** An update may not change its value. */
  readonly immutable: boolean;
  readonly tags: Json;
  readonly constraints: readonly ParameterConstraint[];
}

const KEYS = [
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

/** Heat accepts only true and "true". Hiding too much does no harm, so other words count too. */
const isYes = (value: Json | undefined): boolean =>
  value === true || value === 1 || /^(true|t|yes|y|on|1)$/i.test(String(value ?? "").trim());

const readTags = (tags: Json | undefined, name: string): Json => {
  if (tags === undefined || tags === null) return [];
  if (isJsonArray(tags)) return tags;
  throw invalidSchema(`Tags property should be a list for parameter: ${name}`);
};

const readParameter = (name: string, value: Json, version: HotVersion): ParameterSchema => {
  const keys = isAtLeast(version, "2018-03-02") ? [...KEYS, "tags"] : KEYS;
  const source = checkKeys(value, keys, `parameter (${name})`);
  const type = member(source, "type");
  if (type === undefined) throw invalidSchema(`Missing parameter type for parameter: ${name}`);
  if (!isType(type)) throw invalidSchema(`Invalid type (${pythonText(type)})`);
  const constraints = member(source, "constraints") ?? [];
  if (!isJsonArray(constraints)) {
    throw invalidSchema(`Invalid parameter constraints for parameter ${name}, expected a list`);
  }
  const text = (key: string, absent: string): string => pythonText(member(source, key) ?? absent);
  return {
    name,
    type,
    typeName: type.replaceAll("_", ""),
    label: text("label", name),
    description: text("description", ""),
    default: member(source, "default") ?? null,
    hidden: isYes(member(source, "hidden")),
    immutable: isYes(member(source, "immutable")),
    tags: readTags(member(source, "tags"), name),
    constraints: constraints.map((constraint) => readConstraint(constraint, version)),
  };
};

/** Throws Heat's InvalidSchemaError for the first wrong definition. Defaults are checked later. */
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
