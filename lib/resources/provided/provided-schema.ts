/** Converts the schemas of a provider to what templates and clients see of its types. */
import { RequestError } from "#lib/errors.ts";
import { ExactNumber, isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type {
  PropertySchema as OwnSchema,
  PropertySchemas as OwnSchemas,
  PropertyConstraint,
} from "#lib/model/property-schema.ts";
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { matchesWhole } from "#lib/template/check/constraints.ts";
import { coerceProperties } from "#lib/template/check/properties.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { RAW_ATTRIBUTE } from "#lib/template/scope.ts";
import type {
  AttributeSchema,
  PropertyConstraint as GivenConstraint,
  Json as PlainJson,
  JsonObject as PlainObject,
  PropertySchema,
  PropertySchemas,
  ProvidedType,
} from "#provider/provider.ts";
import { NoProvider } from "#provider/read-provider.ts";

const boundsOf = ({ min, max }: { min?: number | undefined; max?: number | undefined }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

const constraintOf = (given: GivenConstraint): PropertyConstraint => {
  if ("range" in given) return { range: boundsOf(given.range) };
  if ("length" in given) return { length: boundsOf(given.length) };
  return given;
};

const ownSchema = (given: PropertySchema): OwnSchema => ({
  type: given.type,
  ...(given.description === undefined ? {} : { description: given.description }),
  ...(given.required ? { required: true } : {}),
  ...(given.default === undefined ? {} : { default: given.default }),
  ...(given.updateAllowed ? { updateAllowed: true } : {}),
  ...(given.immutable ? { immutable: true as const } : {}),
  ...(given.constraints === undefined ? {} : { constraints: given.constraints.map(constraintOf) }),
  ...(given.items === undefined ? {} : { items: ownSchema(given.items) }),
  ...(given.schema === undefined ? {} : { schema: ownSchemas(given.schema) }),
});

const ownSchemas = (given: PropertySchemas): OwnSchemas =>
  mapOf(Object.entries(given).map(([name, schema]) => [name, ownSchema(schema)] as const));

const FOR_CONSTRAINT: Readonly<Record<string, ReadonlySet<string>>> = {
  range: new Set(["integer", "number"]),
  length: new Set(["string", "list", "map"]),
  allowedPattern: new Set(["string"]),
};

const checkConstraint = (type: string, constraint: GivenConstraint, place: string): void => {
  const [kind = ""] = Object.keys(constraint);
  const types = FOR_CONSTRAINT[kind];
  if (types && !types.has(type)) {
    throw new NoProvider(`${place}.${kind}: a property of type ${type} cannot have it`);
  }
  if (!("allowedPattern" in constraint)) return;
  try {
    matchesWhole(constraint.allowedPattern, "");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new NoProvider(`${place}.allowedPattern: ${why}`, { cause: error });
  }
};

const checkDefault = (schema: PropertySchema, place: string): void => {
  if (schema.default === undefined) return;
  try {
    coerceProperties({ value: ownSchema(schema) }, { value: schema.default }, "default");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const why = error.message.replace(/^Property error: default\.value[^:]*: /, "");
    throw new NoProvider(`${place}.default: ${why}`, { cause: error });
  }
};

const checkSchemas = (schemas: PropertySchemas, place: string): void => {
  for (const [name, schema] of Object.entries(schemas)) checkSchema(schema, `${place}.${name}`);
};

const checkSchema = (schema: PropertySchema, place: string): void => {
  const { type, constraints = [], items, schema: members } = schema;
  constraints.forEach((one, at) => {
    checkConstraint(type, one, `${place}.constraints.${at}`);
  });
  if (items && type !== "list") throw new NoProvider(`${place}.items: only a list has items`);
  if (members && type !== "map") throw new NoProvider(`${place}.schema: only a map has members`);
  if (items) checkSchema(items, `${place}.items`);
  if (members) checkSchemas(members, `${place}.schema`);
  checkDefault(schema, place);
};

export const checkProvidedType = (name: string, type: ProvidedType): void => {
  checkSchemas(type.properties, `types.${name}.properties`);
  if (Object.hasOwn(type.attributes ?? {}, RAW_ATTRIBUTE)) {
    throw new NoProvider(
      `types.${name}.attributes.${RAW_ATTRIBUTE}: every resource has it already`,
    );
  }
};

const ownAttribute = ({ description = "", type, hidden }: AttributeSchema) => ({
  description,
  ...(type === undefined ? {} : { type }),
  ...(hidden === undefined ? {} : { hidden }),
});

export const schemaOf = ({
  description,
  properties,
  attributes = {},
  uniqueBy,
}: ProvidedType): ResourceSchema => ({
  description,
  ...(uniqueBy ? { uniqueBy } : {}),
  properties: ownSchemas(properties),
  attributes: mapOf(
    Object.entries(attributes).map(([name, schema]) => [name, ownAttribute(schema)] as const),
  ),
});

export class NoPlainNumber extends Error {
  override readonly name = "NoPlainNumber";
}

const plainNumber = ({ value }: ExactNumber): number => {
  const number = Number(value);
  if (typeof value !== "bigint" || Number.isSafeInteger(number)) return number;
  throw new NoPlainNumber("a property has an integer that is too large for a provider");
};

const plain = (value: Json): PlainJson => {
  if (value instanceof ExactNumber) return plainNumber(value);
  if (isJsonArray(value)) return value.map(plain);
  return isJsonObject(value) ? plainObject(value) : value;
};

/** Converts values of templates to plain JavaScript data. Each provider gets its own copy. */
export const plainObject = (value: JsonObject): PlainObject =>
  mapOf(Object.entries(value).map(([key, member]) => [key, plain(member)] as const));
