/**
 * Makes the tables of `AWS::*` types from the registry's schemas, as cfn-lint contains them
 * (docs/adr/0046-aws-types.md).
 */
import { brotliCompressSync, constants } from "node:zlib";
import { z } from "zod";
import {
  HANDLERS,
  type Shape,
  type TypeTable,
} from "#providers/cloud-control/tables/type-table.ts";

const texts = z.array(z.string()).default([]);

interface Node {
  readonly $ref?: string | undefined;
  readonly type?: unknown;
  readonly items?: Node | undefined;
  readonly properties?: Readonly<Record<string, Node>> | undefined;
  readonly required?: readonly string[] | undefined;
}

const node: z.ZodType<Node> = z.object({
  $ref: z.string().optional(),
  type: z.unknown().optional(),
  items: z.lazy(() => node).optional(),
  properties: z
    .record(
      z.string(),
      z.lazy(() => node),
    )
    .optional(),
  required: z.array(z.string()).optional(),
});

export const RegistrySchema = z.object({
  typeName: z.string(),
  properties: z.record(z.string(), node),
  definitions: z.record(z.string(), node).default({}),
  required: texts,
  handlers: z.record(z.string(), z.unknown()).default({}),
  primaryIdentifier: texts,
  createOnlyProperties: texts,
  conditionalCreateOnlyProperties: texts,
  readOnlyProperties: texts,
  writeOnlyProperties: texts,
  tagging: z
    .object({
      taggable: z.boolean().default(false),
      tagOnCreate: z.boolean().default(true),
      tagProperty: z.string().default("/properties/Tags"),
    })
    .optional(),
});
export type RegistrySchema = z.infer<typeof RegistrySchema>;

const PREFIX = "/properties/";
const DEFINITION = "#/definitions/";

const pathOf = (pointer: string): string => pointer.slice(PREFIX.length);

const SCALARS: Readonly<Record<string, Shape>> = {
  string: "s",
  integer: "i",
  number: "n",
  boolean: "b",
};

const membersOf = (nodes: Readonly<Record<string, Node>>): Record<string, Shape> =>
  Object.fromEntries(Object.entries(nodes).map(([name, one]) => [name, shapeOf(one)] as const));

const shapeOf = ({ $ref, type, items, properties, required = [] }: Node): Shape => {
  if ($ref?.startsWith(DEFINITION)) return { ref: $ref.slice(DEFINITION.length) };
  if (typeof type === "string" && Object.hasOwn(SCALARS, type)) return SCALARS[type] ?? "a";
  if (type === "array") return { list: items === undefined ? "a" : shapeOf(items) };
  const isMap = type === "object" || (type === undefined && properties !== undefined);
  if (!isMap) return "a";
  if (properties === undefined || Object.keys(properties).length === 0) return "m";
  const of = membersOf(properties);
  return required.length === 0 ? { of } : { of, needs: required };
};

const followed = (schema: RegistrySchema, { $ref, ...own }: Node): Node =>
  $ref === undefined ? own : (schema.definitions[$ref.slice(DEFINITION.length)] ?? own);

const tagsOf = (schema: RegistrySchema): TypeTable["tags"] => {
  const { tagging, properties, createOnlyProperties, readOnlyProperties } = schema;
  if (!tagging?.taggable || !tagging.tagOnCreate) return undefined;
  const property = pathOf(tagging.tagProperty);
  const given = properties[property];
  const isFixed = [...createOnlyProperties, ...readOnlyProperties].includes(tagging.tagProperty);
  if (given === undefined || isFixed) return undefined;
  const { type, items, properties: members } = followed(schema, given);
  if (type === "object" && members === undefined) return { property, form: "map" };
  const item = items && followed(schema, items);
  const hasPairs =
    item?.properties?.["Key"] !== undefined && item.properties["Value"] !== undefined;
  return type === "array" && hasPairs ? { property, form: "list" } : undefined;
};

const filled = <Value>(name: string, value: readonly Value[]) =>
  value.length === 0 ? {} : { [name]: value };

export const tableOf = (schema: RegistrySchema): object | null => {
  const handlers = HANDLERS.filter((name) => Object.hasOwn(schema.handlers, name));
  if (!handlers.includes("create") || !handlers.includes("delete")) return null;
  const tags = tagsOf(schema);
  const definitions = membersOf(schema.definitions);
  return {
    handlers,
    identifier: schema.primaryIdentifier.map(pathOf),
    ...filled("createOnly", schema.createOnlyProperties.map(pathOf)),
    ...filled("perhapsCreateOnly", schema.conditionalCreateOnlyProperties.map(pathOf)),
    ...filled("readOnly", schema.readOnlyProperties.map(pathOf)),
    ...filled("writeOnly", schema.writeOnlyProperties.map(pathOf)),
    ...filled("needs", schema.required),
    ...(tags === undefined ? {} : { tags }),
    properties: membersOf(schema.properties),
    ...(Object.keys(definitions).length === 0 ? {} : { definitions }),
  };
};

export const tableLines = (schemas: readonly unknown[]): string =>
  schemas
    .map((schema) => RegistrySchema.parse(schema))
    .toSorted((one, other) => (one.typeName < other.typeName ? -1 : 1))
    .flatMap((schema) => {
      const table = tableOf(schema);
      return table === null ? [] : [`${schema.typeName}\t${JSON.stringify(table)}\n`];
    })
    .join("");

export const packed = (lines: string): Buffer =>
  brotliCompressSync(lines, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
