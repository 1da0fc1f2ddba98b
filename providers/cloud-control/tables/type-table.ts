/**
 * What Hearth keeps of a type's schema in AWS's registry. A path has no `/properties/`, and `*`
 * stands for each item of a list: `VpcConfig/SubnetIds`.
 */

import { brotliDecompressSync } from "node:zlib";
import * as z from "zod/mini";

/**
 * The letters mean string, integer, number, boolean, any map and any value. A `ref` names an entry
 * of `definitions`.
 */
export type Shape =
  | "s"
  | "i"
  | "n"
  | "b"
  | "m"
  | "a"
  | { readonly ref: string }
  | { readonly list: Shape }
  | {
      readonly of: Readonly<Record<string, Shape>>;
      readonly needs?: readonly string[] | undefined;
    };

const shape: z.ZodMiniType<Shape> = z.union([
  z.enum(["s", "i", "n", "b", "m", "a"]),
  z.strictObject({ ref: z.string() }),
  z.strictObject({ list: z.lazy(() => shape) }),
  z.strictObject({
    of: z.lazy(() => z.record(z.string(), shape)),
    needs: z.optional(z.array(z.string())),
  }),
]);

const paths = z._default(z.array(z.string()), []);

export const HANDLERS = ["create", "read", "update", "delete", "list"] as const;

const typeTable = z.strictObject({
  handlers: z.array(z.enum(HANDLERS)),
  identifier: z.array(z.string()),
  createOnly: paths,
  /** AWS may refuse to change these in place, but reports that only when an update is tried. */
  perhapsCreateOnly: paths,
  readOnly: paths,
  writeOnly: paths,
  needs: paths,
  tags: z.optional(z.strictObject({ property: z.string(), form: z.enum(["list", "map"]) })),
  properties: z.record(z.string(), shape),
  definitions: z._default(z.record(z.string(), shape), {}),
});

export type TypeTable = z.infer<typeof typeTable>;

export interface TypeTables {
  readonly names: readonly string[];
  table(type: string): TypeTable | null;
}

/** `packed` was written by tools/packaging/aws-types.ts. */
export const readTables = (packed: Uint8Array): TypeTables => {
  const lines = brotliDecompressSync(packed).toString("utf8").trimEnd().split("\n");
  const texts = new Map(
    lines.map((line) => {
      const tab = line.indexOf("\t");
      return [line.slice(0, tab), line.slice(tab + 1)] as const;
    }),
  );
  return {
    names: [...texts.keys()],
    table: (type) => {
      const text = texts.get(type);
      return text === undefined ? null : typeTable.parse(JSON.parse(text));
    },
  };
};
