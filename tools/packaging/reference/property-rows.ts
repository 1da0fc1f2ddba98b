import { listedProperties } from "#lib/api/type-documents.ts";
import type { Json } from "#lib/json.ts";
import type {
  Bounds,
  PropertyConstraint,
  PropertySchema,
  PropertySchemas,
  SupportStatus,
} from "#lib/model/property-schema.ts";
import type { AttributeSchema } from "#lib/ports/resource-type.ts";
import { code, sentence } from "./markdown.ts";

const STATUS: Readonly<Record<string, string>> = {
  DEPRECATED: "Deprecated",
  UNSUPPORTED: "Not supported",
  HIDDEN: "Hidden",
};

export const supportText = (support: SupportStatus | undefined): string => {
  if (support === undefined) return "";
  const { status, since, message } = support;
  const release = since === undefined ? "" : ` since release ${since} of Heat`;
  if (status === undefined) return since === undefined ? "" : `Since release ${since} of Heat.`;
  const state = `${STATUS[status] ?? status}${release}`;
  return message === undefined || message === "" ? `${state}.` : `${state}: ${sentence(message)}`;
};

const boundsText = ({ min, max }: Bounds): string => {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
};

const valueText = (value: Json): string =>
  typeof value === "string" && value !== "" ? value : JSON.stringify(value);

const constraintText = (constraint: PropertyConstraint): string => {
  if ("range" in constraint) return `Range: ${boundsText(constraint.range)}.`;
  if ("length" in constraint) return `Length: ${boundsText(constraint.length)}.`;
  if ("custom" in constraint) return `Rule: ${code(constraint.custom)}.`;
  if ("allowedPattern" in constraint) return `Pattern: ${code(constraint.allowedPattern)}.`;
  return `One of ${code(constraint.allowedValues.map(valueText).join(", "))}.`;
};

const changeText = ({ updateAllowed, immutable }: PropertySchema): string => {
  if (immutable === true) return "refused";
  return updateAllowed === true ? "in place" : "replaces";
};

const typeText = ({ type, items }: PropertySchema): string => {
  if (type !== "list" || items === undefined) return type;
  return `list of ${items.type}`;
};

const joined = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== "").join(" ");

const rowOf = (path: string, schema: PropertySchema, isTop: boolean): readonly string[] => [
  schema.required === true ? `${code(path)}, required` : code(path),
  typeText(schema),
  schema.default === undefined ? "" : code(JSON.stringify(schema.default)),
  // Only a property as a whole can be changed.
  isTop ? changeText(schema) : "",
  joined(
    sentence(schema.description ?? ""),
    ...(schema.constraints ?? []).map(constraintText),
    ...(schema.items?.constraints ?? []).map((one) => `Each item: ${constraintText(one)}`),
    supportText(schema.support),
    schema.own === true ? "Heat has no such property." : "",
  ).replace(/^\. ?/, ""),
];

const rowsBelow = (path: string, { items, schema }: PropertySchema): readonly string[][] => {
  if (items !== undefined) return rowsBelow(`${path}[]`, items);
  return rowsIn(schema ?? {}, `${path}.`);
};

const rowsIn = (schemas: PropertySchemas, prefix: string): string[][] =>
  listedProperties(schemas).flatMap(([name, schema]) => [
    [...rowOf(prefix + name, schema, prefix === "")],
    ...rowsBelow(prefix + name, schema),
  ]);

export const PROPERTY_HEADER = ["property", "type", "default", "a change", "what"];

export const propertyRows = (schemas: PropertySchemas): readonly (readonly string[])[] =>
  rowsIn(schemas, "");

export const ATTRIBUTE_HEADER = ["attribute", "type", "what"];

export const attributeRows = (
  attributes: Readonly<Record<string, AttributeSchema>>,
): readonly (readonly string[])[] =>
  Object.entries(attributes).map(([name, { type = "any", description, support, hidden }]) => [
    code(name),
    type,
    joined(
      description === undefined ? "" : sentence(description),
      hidden === true ? "Shown only where it is named." : "",
      supportText(support),
    ),
  ]);
