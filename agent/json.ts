/** Reading JSON of unknown shape without a library: the agent is one file on a server and depends on nothing. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text member, or the fallback when it is absent or something else. */
export const textOf = (fields: Fields, key: string, fallback = ""): string => {
  const value = fields[key];
  return typeof value === "string" ? value : fallback;
};

export const listOf = (fields: Fields, key: string): readonly unknown[] => {
  const value = fields[key];
  return Array.isArray(value) ? value : [];
};

/** The parsed object, or null for anything else, malformed text included. */
export const parseFields = (text: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
};

/** What went wrong as a code (ECONNREFUSED, ENOSPC, TimeoutError). Messages are left out: they can hold URLs and input values. */
export const failureCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error ? failureCode(error.cause) : error.name;
};
