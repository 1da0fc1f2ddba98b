import * as z from "zod/mini";
import { jsonObject } from "../json-schema.ts";
import type { JsonObject } from "../provider.ts";

export const readProperties = (text: string): JsonObject | null => {
  try {
    const read = z.safeParse(jsonObject, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
