import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { JsonObject } from "./provider.ts";

/** Without a locale zod/mini reports "Invalid input" for every error. */
const { localeError: error } = en();

type Read<Value> = { readonly value: Value } | { readonly wrong: string };

export const readValue = <Value>(schema: z.ZodMiniType<Value>, given: unknown): Read<Value> => {
  const read = z.safeParse(schema, given, { error });
  if (read.success) return { value: read.data };
  const [issue] = read.error.issues;
  const place = (issue?.path ?? []).map(String).join(".");
  return { wrong: place === "" ? `${issue?.message}` : `${place}: ${issue?.message}` };
};

export const json = z.json();
export const jsonObject = z.record(z.string(), json);

export const readProperties = (text: string): JsonObject | null => {
  try {
    const read = z.safeParse(jsonObject, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
