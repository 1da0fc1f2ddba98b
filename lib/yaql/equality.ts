/** Python's equality and hashing: 1, 1.0 and true are one key. */
import { typeError } from "./errors.ts";
import {
  Collection,
  Dictionary,
  isSet,
  type Pair,
  Sequence,
  typeOf,
  type Value,
} from "./values.ts";

const identities = new WeakMap<object, number>();
let identitiesMade = 0;

const identityOf = (value: object): number => {
  const known = identities.get(value);
  if (known !== undefined) return known;
  identitiesMade += 1;
  identities.set(value, identitiesMade);
  return identitiesMade;
};

const numberKey = (value: bigint | number): string =>
  typeof value === "number" && Number.isInteger(value) ? `${BigInt(value)}` : `${value}`;

/** Equal values have the same key. Throws Python's TypeError for an unhashable value. */
export const keyOf = (value: Value): string => {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "bigint" || typeof value === "number") return numberKey(value);
  if (value instanceof Sequence) {
    if (value.kind === "list") throw typeError("unhashable type: 'list'");
    return `(${value.items.map(keyOf).join(",")})`;
  }
  if (value instanceof Dictionary) {
    if (!value.isFrozen) throw typeError("unhashable type: 'dict'");
    const members = [...value.entries].map(([key, [, item]]) => `${key}:${keyOf(item)}`);
    return `{${members.sort().join(",")}}`;
  }
  if (value instanceof Collection) {
    if (value.kind === "values") return `#${identityOf(value)}`;
    if (value.kind !== "set") throw typeError(`unhashable type: '${typeOf(value)}'`);
    return `<${value.items.map(keyOf).sort().join(",")}>`;
  }
  return `#${identityOf(value)}`;
};

const isNumeric = (value: Value): value is boolean | bigint | number =>
  typeof value === "boolean" || typeof value === "bigint" || typeof value === "number";

const numeric = (value: boolean | bigint | number): bigint | number =>
  typeof value === "boolean" ? BigInt(value) : value;

const areAllEqual = (left: readonly Value[], right: readonly Value[]): boolean =>
  left.length === right.length && left.every((item, at) => equals(item, right[at] ?? null));

export const equals = (left: Value, right: Value): boolean => {
  if (left === right) return true;
  if (isNumeric(left) && isNumeric(right))
    return numberKey(numeric(left)) === numberKey(numeric(right));
  if (left instanceof Sequence && right instanceof Sequence) {
    return left.kind === right.kind && areAllEqual(left.items, right.items);
  }
  if (left instanceof Dictionary && right instanceof Dictionary) {
    if (left.entries.size !== right.entries.size) return false;
    return [...left.entries].every(([key, [, item]]) => {
      const other = right.entries.get(key);
      return other !== undefined && equals(item, other[1]);
    });
  }
  if (isSet(left) && isSet(right)) {
    if (left.items.length !== right.items.length) return false;
    return left.items.every((item) => right.items.some((other) => equals(item, other)));
  }
  return false;
};

const distinctItems = (items: Iterable<Value>): readonly Value[] => {
  const byKey = new Map<string, Value>();
  for (const item of items) {
    const key = keyOf(item);
    if (!byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey.values()];
};

export const setOf = (items: Iterable<Value>): Collection =>
  new Collection(distinctItems(items), "set");

/** As in Python, a later entry replaces an earlier value, but keeps the earlier key and place. */
export const dictionaryOf = (
  entries: Iterable<readonly [Value, Value]>,
  isFrozen = true,
): Dictionary => {
  const byKey = new Map<string, readonly [Value, Value]>();
  for (const [key, value] of entries) {
    const text = keyOf(key);
    byKey.set(text, [byKey.get(text)?.[0] ?? key, value]);
  }
  return new Dictionary(byKey, isFrozen);
};

export const entryOf = ({ source, destination }: Pair): readonly [Value, Value] => [
  source,
  destination,
];
