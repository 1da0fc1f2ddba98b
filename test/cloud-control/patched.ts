import { z } from "zod";
import type { JsonObject } from "#provider/provider.ts";

export const PatchDocument = z.array(
  z.discriminatedUnion("op", [
    z.object({ op: z.literal("add"), path: z.string(), value: z.json() }),
    z.object({ op: z.literal("remove"), path: z.string() }),
  ]),
);
type PatchDocument = z.infer<typeof PatchDocument>;

const nameOf = (path: string): string => path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");

/** @returns null if the patch removes a property that does not exist. */
export const patched = (model: JsonObject, patch: PatchDocument): JsonObject | null => {
  let after = model;
  for (const operation of patch) {
    const name = nameOf(operation.path);
    const { [name]: former, ...others } = after;
    if (operation.op === "add") after = { ...others, [name]: operation.value };
    else if (former === undefined) return null;
    else after = others;
  }
  return after;
};
