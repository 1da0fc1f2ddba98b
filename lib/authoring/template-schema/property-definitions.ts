import {
  isJsonNumber,
  type Json,
  type JsonObject,
  mapOf,
  mergedMaps,
  numberText,
} from "#lib/json.ts";
import {
  isHidden,
  type PropertyConstraint,
  type PropertySchema,
  type PropertySchemas,
  type Translation,
} from "#lib/model/property-schema.ts";
import { oldNamesOf, targetOf } from "#lib/template/check/translations.ts";
import {
  ANY_VALUE,
  BOOLEAN_TEXT,
  closedMap,
  INTEGER_TEXT,
  NUMBER_TEXT,
  orCall,
  scalarOrCall,
  unlisted,
} from "./definitions.ts";

interface Names {
  /** These may get their value from an old name, so they are never required. */
  readonly targets: ReadonlySet<string>;
  readonly old: ReadonlySet<string>;
}

/** YAML may parse a text as a number or boolean that Heat converts back to an allowed text. */
const alikeTo = (value: Json): readonly Json[] => {
  if (typeof value !== "string") return isJsonNumber(value) ? [value, numberText(value)] : [value];
  const number = Number(value);
  if (value !== "" && String(number) === value) return [value, number];
  if (value === "True" || value === "False") return [value, value === "True"];
  return [value];
};

/** Heat's patterns are Python's. A pattern that JavaScript cannot compile is left out. */
const patternFor = (pattern: string): JsonObject => {
  const whole = `^(?:${pattern})$`;
  try {
    new RegExp(whole, "u");
    return { pattern: whole };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

const constrained = (constraint: PropertyConstraint, type: PropertySchema["type"]): JsonObject => {
  if ("custom" in constraint) return {};
  if ("allowedPattern" in constraint) return patternFor(constraint.allowedPattern);
  if ("range" in constraint) {
    const { min, max } = constraint.range;
    return {
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    };
  }
  if ("length" in constraint) {
    const { min, max } = constraint.length;
    // A function may remove items, so the written list may be longer.
    if (type === "list") return min === undefined ? {} : { minItems: min };
    if (type === "map") return min === undefined ? {} : { minProperties: min };
    return {
      ...(min === undefined ? {} : { minLength: min }),
      ...(max === undefined ? {} : { maxLength: max }),
    };
  }
  const allowed = { enum: [...constraint.allowedValues.flatMap(alikeTo), null] };
  return type === "list" ? { items: scalarOrCall("value", allowed) } : allowed;
};

const listSchema = ({ items }: PropertySchema, path: string, names: Names): JsonObject => ({
  type: ["array", "null"],
  items: items === undefined ? ANY_VALUE : propertySchema(items, path, names),
});

const mapSchema = ({ schema }: PropertySchema, path: string, names: Names): JsonObject =>
  schema === undefined
    ? { type: ["object", "null"], additionalProperties: ANY_VALUE }
    : mergedMaps<Json>(membersSchema(schema, path, names), { type: ["object", "null"] });

const typeSchema = (schema: PropertySchema, path: string, names: Names): JsonObject => {
  switch (schema.type) {
    case "string":
      return { type: ["string", "number", "boolean", "null"] };
    case "integer":
      return { type: ["number", "boolean", "string", "null"], pattern: INTEGER_TEXT };
    case "number":
      return { type: ["number", "boolean", "string", "null"], pattern: NUMBER_TEXT };
    case "boolean":
      return { type: ["boolean", "string", "null"], pattern: BOOLEAN_TEXT };
    case "list":
      return listSchema(schema, path, names);
    case "map":
      return mapSchema(schema, path, names);
    case "any":
      return ANY_VALUE;
  }
};

const described = ({ description, default: own, support }: PropertySchema): JsonObject => ({
  ...(description === undefined ? {} : { description }),
  ...(own === undefined ? {} : { default: own }),
  ...(support?.status === "DEPRECATED"
    ? { deprecationMessage: support.message ?? "It is deprecated." }
    : {}),
});

const valueSchema = (schema: PropertySchema, path: string, names: Names): JsonObject => {
  if (schema.unimplemented === true) return { not: {} };
  if (names.old.has(path) || schema.type === "any") return ANY_VALUE;
  const { constraints = [], type } = schema;
  const rules = constraints.map((one) => constrained(one, type));
  const whole = together([typeSchema(schema, path, names), ...rules]);
  const isScalar = type !== "list" && type !== "map";
  return isScalar ? scalarOrCall("value", whole) : orCall("value", whole);
};

/** Some editors suggest the values of an `enum` only if it is in the same schema as the type. */
const together = (schemas: readonly JsonObject[]): JsonObject => {
  const words = schemas.flatMap((schema) => Object.keys(schema));
  return new Set(words).size === words.length ? mergedMaps<Json>(...schemas) : { allOf: schemas };
};

const propertySchema = (schema: PropertySchema, path: string, names: Names): JsonObject => {
  const whole = mergedMaps<Json>(described(schema), valueSchema(schema, path, names));
  const isUnlisted = isHidden(schema.support) || schema.unimplemented === true;
  return isUnlisted ? unlisted(whole) : whole;
};

const isRequired = ({ required }: PropertySchema, path: string, { targets }: Names): boolean =>
  required === true && !targets.has(path);

const membersSchema = (schemas: PropertySchemas, above: string, names: Names): JsonObject => {
  const members = Object.entries(schemas).map(
    ([name, schema]) => [name, above === "" ? name : `${above}.${name}`, schema] as const,
  );
  return closedMap(
    mapOf(members.map(([name, path, schema]) => [name, propertySchema(schema, path, names)])),
    members.flatMap(([name, path, schema]) => (isRequired(schema, path, names) ? [name] : [])),
  );
};

export const propertiesSchema = (
  schemas: PropertySchemas,
  translations: readonly Translation[] = [],
): JsonObject =>
  membersSchema(schemas, "", {
    targets: new Set(translations.map((rule) => targetOf(rule).join("."))),
    old: new Set(oldNamesOf(translations).map((path) => path.join("."))),
  });
