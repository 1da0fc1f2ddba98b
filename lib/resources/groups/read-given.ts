import type * as z from "zod/mini";
import { validationFailed } from "#lib/errors.ts";

/**
 * Reads properties that their schema has already coerced. A number can still be too large.
 * @throws Heat's StackValidationFailed, which names the property.
 */
export const readGiven = <Given>(schema: z.ZodMiniType<Given>, properties: unknown): Given => {
  const read = schema.safeParse(properties);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = ["properties", ...(issue?.path ?? [])].join(".");
  throw validationFailed(`${place}: No group can have this value (${issue?.message ?? ""})`);
};
