/** The query string, read as Heat reads it and with its error texts. */
import { checkTagLengths } from "#lib/engine/stacks/stack-options.ts";
import { badRequest } from "#lib/errors.ts";
import { allFaults, type Faults, FIRST_FAULT } from "#lib/template/faults.ts";

export type Query = Readonly<Record<string, readonly string[]>>;

/**
 * The last value, because older clients repeat the query of a redirect. An empty value is absent.
 */
export const single = (query: Query, name: string): string | undefined =>
  query[name]?.at(-1) || undefined;

/** Undefined without the key. An empty list would be a filter that matches nothing. */
export const multiple = (
  query: Query,
  ...names: readonly string[]
): readonly string[] | undefined => {
  const values = names.flatMap((name) => query[name] ?? []).filter((value) => value !== "");
  return values.length > 0 ? values : undefined;
};

export const parseBool = (name: string, value: unknown): boolean => {
  const text = String(value).toLowerCase();
  if (text === "true") return true;
  if (text === "false") return false;
  // Python's word for null.
  const shown = value === null ? "None" : String(value);
  throw badRequest(
    `Unrecognized value "${shown}" for "${name}", acceptable values are: true, false.`,
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

export const boolOf = (query: Query, name: string, otherwise: boolean): boolean => {
  const value = single(query, name);
  return value === undefined ? otherwise : parseBool(name, value);
};

/** `all_errors` is Hearth's own: like Heat, Hearth otherwise reports the first error only. */
export const faultsOf = (query: Query): Faults =>
  boolOf(query, "all_errors", false) ? allFaults() : FIRST_FAULT;

export const integerOf = (query: Query, name: string): number | undefined => {
  const value = single(query, name);
  return value === undefined ? undefined : parseInteger(name, value);
};

export const tagsOf = (query: Query, name: string): readonly string[] | undefined => {
  const value = single(query, name);
  return value === undefined ? undefined : checkTagLengths(value.split(","));
};

export const pageOf = (query: Query) => ({
  marker: single(query, "marker"),
  limit: integerOf(query, "limit"),
});

export const ascendingOf = (query: Query, otherwise: boolean): boolean => {
  const value = single(query, "sort_dir");
  if (value === undefined) return otherwise;
  if (value !== "asc" && value !== "desc") {
    throw badRequest(`Unknown sort direction "${value}", must be one of: asc, desc`);
  }
  return value === "asc";
};

export const queryString = (query: Query): string => {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of values) search.append(name, value);
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
};
