import { isJsonObject, type Json } from "#lib/json.ts";

export interface Unequal {
  readonly path: string;
  readonly kind: "missing" | "not in Heat" | "another value" | "another length";
  readonly expected: Json;
  readonly got: Json;
}

/** As in Python, an integer differs from a float. */
const isSame = (expected: Json, got: Json): boolean =>
  JSON.stringify(expected) === JSON.stringify(got);

const differing = (expected: Json, got: Json, path: string): Unequal[] => {
  if (isJsonObject(expected) && isJsonObject(got)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return [...keys].flatMap((key): Unequal[] => {
      const place = path === "" ? key : `${path}.${key}`;
      const [left, right] = [expected[key], got[key]];
      if (left === undefined) {
        return [{ path: place, kind: "not in Heat", expected: null, got: right ?? null }];
      }
      if (right === undefined) return [{ path: place, kind: "missing", expected: left, got: null }];
      return differing(left, right, place);
    });
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    if (expected.length !== got.length) return [{ path, kind: "another length", expected, got }];
    return expected.flatMap((one, at) => differing(one, got[at] ?? null, `${path}[${at}]`));
  }
  return isSame(expected, got) ? [] : [{ path, kind: "another value", expected, got }];
};

export const differencesOf = (expected: Json, got: Json): readonly Unequal[] =>
  differing(expected, got, "");
