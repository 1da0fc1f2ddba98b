/** Properties as a user writes them on a command line. */
import * as z from "zod/mini";
import type { JsonObject } from "../provider.ts";

const objectSchema = z.record(z.string(), z.json());

/** Null: the text is no JSON object. */
export const readProperties = (text: string): JsonObject | null => {
  try {
    const read = z.safeParse(objectSchema, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
