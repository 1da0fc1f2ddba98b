import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { CFN_VERSIONS, isCfn, VERSIONS, type Version } from "#lib/template/format.ts";
import type { Argument, Place, Shape, TemplateFunction } from "#lib/template/functions/function.ts";
import { conditionFunctionsOf, functionsOf } from "#lib/template/functions/table.ts";
import {
  ANY_VALUE,
  anyOf,
  type Context,
  closedMap,
  conditional,
  INTEGER_TEXT,
  noCall,
  orCall,
  scalarOrCall,
  toDefinition,
  unlisted,
} from "./definitions.ts";

const EMPTY_VALUES: readonly Json[] = [null, "", [], {}];

const rowSchema = (
  { places, rest }: Extract<Shape, { kind: "row" }>,
  context: Context,
): JsonObject => {
  const items = places.map((place) => placeSchema(place, context));
  return {
    type: "array",
    items,
    minItems: places.filter(({ optional }) => optional !== true).length,
    additionalItems: rest ? (items.at(-1) ?? {}) : false,
  };
};

const keysSchema = (
  { places, open }: Extract<Shape, { kind: "keys" }>,
  context: Context,
): JsonObject => ({
  type: "object",
  properties: mapOf(places.map((place) => [place.name, argumentSchema(place, context)])),
  required: places.filter(({ optional }) => optional !== true).map(({ name }) => name),
  additionalProperties: open,
});

const integerSchema = ({ min, max }: Extract<Shape, { kind: "integer" }>): JsonObject => ({
  anyOf: [
    {
      type: "integer",
      ...(Number.isFinite(min) ? { minimum: min } : {}),
      ...(Number.isFinite(max) ? { maximum: max } : {}),
    },
    { type: "string", pattern: INTEGER_TEXT },
  ],
});

const shapeSchema = (shape: Shape, context: Context): JsonObject => {
  switch (shape.kind) {
    case "any":
      return context === "value" ? ANY_VALUE : {};
    case "something":
      return { not: { enum: EMPTY_VALUES } };
    case "scalar":
      return { type: ["string", "number", "boolean"] };
    case "nothing":
      return { type: "null" };
    case "condition":
      return toDefinition("condition");
    case "text":
      return shape.oneOf === undefined ? { type: "string" } : { enum: shape.oneOf };
    case "boolean":
      return { const: shape.only };
    case "integer":
      return integerSchema(shape);
    case "list":
      return {
        type: "array",
        items: placeSchema({ shapes: shape.values }, context),
        minItems: shape.min,
      };
    case "map":
      return {
        type: "object",
        additionalProperties: placeSchema({ shapes: shape.values }, context),
        minProperties: shape.min,
      };
    case "row":
      return rowSchema(shape, context);
    case "keys":
      return keysSchema(shape, context);
  }
};

const placeSchema = ({ shapes, written }: Place, context: Context): JsonObject => {
  const schema = anyOf(shapes.map((shape) => shapeSchema(shape, context)));
  if (written !== true) return orCall(context, schema);
  return { allOf: [noCall(context), schema] };
};

const argumentSchema = (argument: Argument, context: Context): JsonObject =>
  mergedMaps<Json>({ description: argument.meaning }, placeSchema(argument, context));

const TABLES = { value: functionsOf, condition: conditionFunctionsOf } as const;

/**
 * The name may mean different functions in different versions. Functions that a version only
 * rejects are left out.
 */
const definitionsOf = (
  context: Context,
): ReadonlyMap<string, readonly (readonly [Version, TemplateFunction])[]> => {
  const found = new Map<string, (readonly [Version, TemplateFunction])[]>();
  for (const version of [...VERSIONS, ...CFN_VERSIONS]) {
    for (const one of TABLES[context](version).values()) {
      if (one.takes === undefined) continue;
      found.set(one.name, [...(found.get(one.name) ?? []), [version, one]]);
    }
  }
  return found;
};

/** The schema does not know the version, so it accepts the arguments of every version. */
const functionSchema = (
  uses: readonly (readonly [Version, TemplateFunction])[],
  context: Context,
): JsonObject => {
  const places = new Map(
    uses.flatMap(([, { takes }]) =>
      takes === undefined ? [] : [[JSON.stringify(takes), takes] as const],
    ),
  );
  const schemas = [...places.values()].map((place) => placeSchema(place, context));
  const description = uses.at(-1)?.[1].description ?? "";
  const schema = mergedMaps<Json>({ description }, anyOf(schemas));
  return uses.every(([version]) => isCfn(version)) ? unlisted(schema) : schema;
};

const definitionsIn = (context: Context): readonly (readonly [string, JsonObject])[] => {
  const definitions = definitionsOf(context);
  const names = new Set([...(context === "value" ? [] : ALL_NAMES), ...definitions.keys()]);
  // With `enum`, an editor would treat an unfinished key as each of the names.
  const isOther = { propertyNames: { not: { pattern: `^(${[...names].join("|")})$` } } };
  const properties = [...definitions].map(
    ([name, uses]) => [name, functionSchema(uses, context)] as const,
  );
  return [
    [`no ${context} call`, { anyOf: [{ maxProperties: 0 }, { minProperties: 2 }, isOther] }],
    [
      `${context} call`,
      mergedMaps<Json>(closedMap(mapOf(properties)), { minProperties: 1, maxProperties: 1 }),
    ],
  ];
};

const ALL_NAMES = [...definitionsOf("value").keys()];

export const functionDefinitions = (): readonly (readonly [string, JsonObject])[] => [
  ...definitionsIn("value"),
  ...definitionsIn("condition"),
  [
    "any value",
    orCall(
      "value",
      conditional({ type: "object" }, { additionalProperties: ANY_VALUE }, { items: ANY_VALUE }),
    ),
  ],
  ["condition", scalarOrCall("condition", { type: ["string", "boolean"] })],
];
