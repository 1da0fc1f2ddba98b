/**
 * Maps with users' keys, in the order in which they were made, as in Python (ADR 33). An object of
 * JavaScript moves keys such as "2" to its front. `mapOf` makes more than a plain object only for
 * entries whose order this would change.
 */

export type MapOf<T> = { readonly [key: string]: T };
type Entry<T> = readonly [key: string, value: T];

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
/** JavaScript moves no larger key. */
const INDEX_MAX = 4_294_967_294;

/** Moved keys stand first, so the first key tells whether there are any. */
const startsWithIndex = (plain: object): boolean => {
  for (const key in plain) return INDEX.test(key) && Number(key) <= INDEX_MAX;
  return false;
};

/** Nothing can be added to it, and so its list of keys stays complete. */
const inOrder = <T>(plain: MapOf<T>, keys: readonly string[]): MapOf<T> =>
  new Proxy(Object.freeze(plain), { ownKeys: () => keys });

/** As in Python, the last value of a key counts, at the place where the key stood first. */
export const mapOf = <T>(entries: readonly Entry<T>[] | ReadonlyMap<string, T>): MapOf<T> => {
  const plain = Object.fromEntries(entries);
  if (!startsWithIndex(plain)) return plain;
  const keys = [...new Map(entries).keys()];
  const natural = Object.keys(plain);
  return keys.every((key, at) => key === natural[at]) ? plain : inOrder(plain, keys);
};

/** Python's `{**first, **second}`. */
export const mergedMaps = <T>(...maps: readonly (MapOf<T> | null | undefined)[]): MapOf<T> =>
  mapOf(maps.flatMap((map) => Object.entries(map ?? {})));
