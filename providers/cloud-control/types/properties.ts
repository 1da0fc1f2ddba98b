import type {
  AttributeSchema,
  Json,
  JsonObject,
  PropertySchema,
  PropertySchemas,
  ProvidedType,
} from "#provider/provider.ts";
import type { Shape, TypeTable } from "../tables/type-table.ts";
import { valueAt } from "./paths.ts";

/** AWS checks deeper levels itself. Some dashboards nest twenty levels. */
const LEVELS_MAX = 6;
const SCHEMAS_MAX = 1_000;

const SCALARS = { s: "string", i: "integer", n: "number", b: "boolean", m: "map" } as const;
const ANY: PropertySchema = { type: "any" };

interface Budget {
  left: number;
}

const membersOf = (
  table: TypeTable,
  { of, needs = [] }: Extract<Shape, { of: object }>,
  levels: number,
  budget: Budget,
): PropertySchemas =>
  Object.fromEntries(
    Object.entries(of).map(([name, shape]) => {
      const schema = schemaOf(table, shape, levels, budget);
      return [name, needs.includes(name) ? { ...schema, required: true } : schema] as const;
    }),
  );

const schemaOf = (
  table: TypeTable,
  shape: Shape,
  levels: number,
  budget: Budget,
): PropertySchema => {
  budget.left -= 1;
  if (shape === "a" || budget.left < 0) return ANY;
  if (typeof shape === "string") return { type: SCALARS[shape] };
  if ("ref" in shape) {
    const { [shape.ref]: definition = "a" } = table.definitions;
    return schemaOf(table, definition, levels, budget);
  }
  if (levels === 0) return ANY;
  if ("list" in shape) {
    return { type: "list", items: schemaOf(table, shape.list, levels, budget) };
  }
  return { type: "map", schema: membersOf(table, shape, levels - 1, budget) };
};

const wholeSchema = (table: TypeTable, shape: Shape): PropertySchema => {
  for (let levels = LEVELS_MAX; levels > 0; levels -= 1) {
    const budget = { left: SCHEMAS_MAX };
    const schema = schemaOf(table, shape, levels, budget);
    if (budget.left >= 0) return schema;
  }
  return ANY;
};

/** AWS sets these properties, so a template that gives one is refused. */
const isSetByAws = ({ readOnly, createOnly }: TypeTable, name: string): boolean =>
  readOnly.includes(name) && !createOnly.includes(name);

/** If the template gives the whole identifier, no second object can have it. */
export const uniqueByOf = (table: TypeTable): Pick<ProvidedType, "uniqueBy"> => {
  const { identifier, properties } = table;
  const isGiven = identifier.every(
    (path) => Object.hasOwn(properties, path) && !isSetByAws(table, path),
  );
  return isGiven && identifier.length > 0 ? { uniqueBy: identifier } : {};
};

export const propertiesOf = (table: TypeTable): PropertySchemas => {
  const canUpdate = table.handlers.includes("update");
  const given = Object.entries(table.properties).filter(([name]) => !isSetByAws(table, name));
  return Object.fromEntries(
    given.map(([name, shape]) => [
      name,
      {
        ...wholeSchema(table, shape),
        ...(table.needs.includes(name) ? { required: true } : {}),
        ...(canUpdate && !table.createOnly.includes(name) ? { updateAllowed: true } : {}),
        // AWS never returns write-only values, such as passwords and keys.
        ...(table.writeOnly.includes(name) ? { secret: true } : {}),
      },
    ]),
  );
};

const hasItems = (path: string): boolean => path.split("/").includes("*");

const pathsOf = ({ readOnly, identifier }: TypeTable): readonly string[] => [
  ...new Set([...readOnly, ...identifier].filter((path) => !hasItems(path))),
];

const nameOf = (path: string): string => path.replaceAll("/", ".");

/** The values that AWS sets, under the names that Fn::GetAtt uses: `Arn`, `Endpoint.Address`. */
export const attributesOf = (table: TypeTable): Readonly<Record<string, AttributeSchema>> =>
  Object.fromEntries(
    pathsOf(table).map((path) => [
      nameOf(path),
      { description: table.readOnly.includes(path) ? "Set by AWS." : "A part of the identifier." },
    ]),
  );

export const attributeValues = (table: TypeTable, model: JsonObject): JsonObject =>
  Object.fromEntries(
    pathsOf(table).flatMap((path): [string, Json][] => {
      const value = valueAt(model, path);
      return value === undefined ? [] : [[nameOf(path), value]];
    }),
  );
