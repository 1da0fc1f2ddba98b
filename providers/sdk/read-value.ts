import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

/** Without a locale zod/mini reports "Invalid input" for every error. */
const { localeError: error } = en();

export type Read<Value> = { readonly value: Value } | { readonly wrong: string };

export const readValue = <Value>(schema: z.ZodMiniType<Value>, given: unknown): Read<Value> => {
  const read = z.safeParse(schema, given, { error });
  if (read.success) return { value: read.data };
  const [issue] = read.error.issues;
  const place = (issue?.path ?? []).map(String).join(".");
  return { wrong: place === "" ? `${issue?.message}` : `${place}: ${issue?.message}` };
};
