import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { refused } from "./refusals.ts";

export type Item = Record<string, AttributeValue>;

/** DynamoDB compares the bytes of UTF-8. JavaScript's own order differs beyond the basic plane. */
export const compareTexts = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** @returns null if the types differ, so that every comparison is false. */
export const compareValues = (left: AttributeValue, right: AttributeValue): number | null => {
  if (left.S !== undefined && right.S !== undefined) return compareTexts(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return Number(left.N) - Number(right.N);
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(left.B, right.B);
  if (left.BOOL !== undefined && right.BOOL !== undefined)
    return Number(left.BOOL) - Number(right.BOOL);
  return null;
};

export const containsValue = (set: AttributeValue, part: AttributeValue): boolean => {
  const { N, S } = part;
  if (set.NS !== undefined && N !== undefined)
    return set.NS.some((one) => Number(one) === Number(N));
  if (set.SS !== undefined && S !== undefined) return set.SS.includes(S);
  return set.S !== undefined && S !== undefined && set.S.includes(S);
};

export const sumOf = (stored: AttributeValue | undefined, by: AttributeValue): AttributeValue => {
  if (by.N !== undefined) {
    if (stored !== undefined && stored.N === undefined) throw refused("ADD to another type");
    const sum = Number(stored?.N ?? 0) + Number(by.N);
    if (!Number.isSafeInteger(sum)) throw refused(`${sum} is not counted exactly here`);
    return { N: String(sum) };
  }
  if (by.NS === undefined || by.NS.length === 0) throw refused("ADD of neither number nor set");
  if (stored !== undefined && stored.NS === undefined) throw refused("ADD to another type");
  return { NS: [...new Set([...(stored?.NS ?? []), ...by.NS])] };
};

/** The copy keeps callers from changing what is stored. */
export const copyOfValue = (value: AttributeValue): AttributeValue => {
  if (value.S !== undefined) return Object.freeze({ S: value.S });
  if (value.N !== undefined) return Object.freeze({ N: value.N });
  if (value.B !== undefined) return Object.freeze({ B: Uint8Array.from(value.B) });
  if (value.BOOL !== undefined) return Object.freeze({ BOOL: value.BOOL });
  if (value.NULL !== undefined) return Object.freeze({ NULL: value.NULL });
  if (value.M !== undefined) return Object.freeze({ M: copyOfItem(value.M) });
  if (value.L !== undefined) return Object.freeze({ L: value.L.map(copyOfValue) });
  if (value.NS !== undefined && value.NS.length > 0) return Object.freeze({ NS: [...value.NS] });
  if (value.SS !== undefined && value.SS.length > 0) return Object.freeze({ SS: [...value.SS] });
  throw refused(`no attribute value: ${JSON.stringify(value)}`);
};

export const copyOfItem = (item: Item): Item => {
  const copy: Item = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) copy[name] = copyOfValue(value);
  }
  return Object.freeze(copy);
};
