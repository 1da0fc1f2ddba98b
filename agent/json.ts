/** Reads JSON of unknown shape without a library, because the agent has no dependencies. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text member, or the fallback if it is absent or not a text. */
export const textOf = (fields: Fields, key: string, fallback = ""): string => {
  const value = fields[key];
  return typeof value === "string" ? value : fallback;
};

export const listOf = (fields: Fields, key: string): readonly unknown[] => {
  const value = fields[key];
  return Array.isArray(value) ? value : [];
};

/** Null for anything but a JSON object, also for malformed text. */
export const parseFields = (text: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
};

/** An error code such as ECONNREFUSED. Messages can hold URLs and input values, so we log none. */
export const failureCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error ? failureCode(error.cause) : error.name;
};
