/**
 * What Hearth keeps of a type's schema in AWS's registry. Paths are as in the registry, without
 * `/properties/`: `VpcConfig/SubnetIds`, and `*` for each item of a list.
 */
import * as z from "zod/mini";

/**
 * The type of a value. The letters are a text, an integer, a number, a boolean, a map of anything,
 * and anything. A reference is to one of the table's definitions.
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

export const typeTable = z.strictObject({
  handlers: z.array(z.enum(HANDLERS)),
  identifier: z.array(z.string()),
  createOnly: paths,
  /** A change may be refused in place. AWS tells only then. */
  perhapsCreateOnly: paths,
  readOnly: paths,
  writeOnly: paths,
  needs: paths,
  /** The property that can be given tags when the object is made, and in which form. */
  tags: z.optional(z.strictObject({ property: z.string(), form: z.enum(["list", "map"]) })),
  properties: z.record(z.string(), shape),
  definitions: z._default(z.record(z.string(), shape), {}),
});

export type TypeTable = z.infer<typeof typeTable>;
