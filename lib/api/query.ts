/** The query string, read as Heat reads it: errors are its texts. */
import { badRequest } from "#lib/errors.ts";

/** All values of a key, in the order in which they were sent. */
export type Query = Readonly<Record<string, readonly string[]>>;

/** The last one: older clients repeat the query string that a redirect already carries. An empty value counts as none. */
export const single = (query: Query, name: string): string | undefined =>
  query[name]?.at(-1) || undefined;

/** Undefined where the key is absent, so that an absent filter is not one that nothing passes. */
export const multiple = (
  query: Query,
  ...names: readonly string[]
): readonly string[] | undefined => {
  const values = names.flatMap((name) => query[name] ?? []).filter((value) => value !== "");
  return values.length > 0 ? values : undefined;
};

/** Any case of true and false, as a JSON value or as text. */
export const parseBool = (name: string, value: unknown): boolean => {
  const text = String(value).toLowerCase();
  if (text === "true") return true;
  if (text === "false") return false;
  throw badRequest(
    `Unrecognized value "${String(value)}" for "${name}", acceptable values are: true, false.`,
  );
};

export const parseInteger = (name: string, value: unknown): number => {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^[+-]?\d{1,15}$/.test(text)) {
    throw badRequest(`Only integer is acceptable by '${name}'.`);
  }
  const number = Number(text);
  if (number < 0) {
    throw badRequest(
      `Value '${text}' is invalid for '${name}' which only accepts non-negative integer.`,
    );
  }
  return number;
};

/** Comma-separated, each at most 80 characters. */
export const parseTags = (text: string): readonly string[] => {
  const tags = text.split(",");
  const long = tags.find((tag) => [...tag].length > 80);
  if (long !== undefined) throw badRequest(`Invalid tag, "${long}" is longer than 80 characters`);
  return tags;
};

export const boolOf = (query: Query, name: string, otherwise: boolean): boolean => {
  const value = single(query, name);
  return value === undefined ? otherwise : parseBool(name, value);
};

export const integerOf = (query: Query, name: string): number | undefined => {
  const value = single(query, name);
  return value === undefined ? undefined : parseInteger(name, value);
};

export const tagsOf = (query: Query, name: string): readonly string[] | undefined => {
  const value = single(query, name);
  return value === undefined ? undefined : parseTags(value);
};

/** Heat takes any text for a direction and compares it; so only "asc" and "desc" say something. */
export const ascendingOf = (query: Query, otherwise: boolean): boolean => {
  const value = single(query, "sort_dir");
  return value === undefined ? otherwise : value.toLowerCase() === "asc";
};

export const queryString = (query: Query): string => {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of values) search.append(name, value);
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
};
