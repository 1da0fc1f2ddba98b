/** The values that AWS sets, under the names that Fn::GetAtt uses: `Arn`, `Endpoint.Address`. */
import type { AttributeSchema, Json, JsonObject } from "#provider/provider.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { valueAt } from "./paths.ts";

const hasItems = (path: string): boolean => path.split("/").includes("*");

const pathsOf = ({ readOnly, identifier }: TypeTable): readonly string[] => [
  ...new Set([...readOnly, ...identifier].filter((path) => !hasItems(path))),
];

const nameOf = (path: string): string => path.replaceAll("/", ".");

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
