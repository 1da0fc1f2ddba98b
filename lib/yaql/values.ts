/**
 * The values of an expression, with Python's types: a bigint is an int and a number is a float. A
 * Sequence is a tuple or a list. Only a tuple can be a key, and the two are never equal.
 */

import { floatOf, numberText } from "#lib/json.ts";
import type { Pattern } from "#lib/pattern/pattern.ts";
import { reprText } from "#lib/python/show-text.ts";
import type { Context } from "./definition.ts";

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Sequence
  | Dictionary
  | Collection
  | Stream
  | Recording
  | Ordering
  | Pair
  | Regex
  | Context;

const UNITS_A_WEIGHT = 32;

const WORD_BITS = 64;
const WORD_MAX = 2n ** BigInt(WORD_BITS);
const WORDS_SQUARED_A_WEIGHT = 32;

/** Dividing large integers, and making their texts, takes the square of their length. */
const integerWeight = (value: bigint): number => {
  if (value < WORD_MAX && value > -WORD_MAX) return 1;
  return 1 + (bitsOf(value) / WORD_BITS) ** 2 / WORDS_SQUARED_A_WEIGHT;
};

/**
 * The number of values in a value, counted as often as they occur. Comparing the value or making a
 * text of it takes that long, and a short expression can nest a list in itself many times.
 */
export const weightOf = (value: Value): number => {
  if (typeof value === "bigint") return integerWeight(value);
  if (typeof value === "string") return 1 + Math.floor(value.length / UNITS_A_WEIGHT);
  const isWhole =
    value instanceof Sequence || value instanceof Collection || value instanceof Dictionary;
  return isWhole ? value.weight : 1;
};

const weightOfAll = (values: readonly Value[]): number =>
  values.reduce<number>((sum, value) => sum + weightOf(value), 1);

export class Sequence {
  readonly items: readonly Value[];
  readonly weight: number;
  readonly kind: "tuple" | "list";
  constructor(items: readonly Value[], kind: "tuple" | "list" = "tuple") {
    this.items = items;
    this.kind = kind;
    this.weight = weightOfAll(items);
  }
}

export type Entry = readonly [Value, Value];

/** The map's keys are the `keyOf` of the entries' keys, in the order of insertion. */
export class Dictionary {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly weight: number;
  /** Only a frozen dictionary can be a key. */
  readonly isFrozen: boolean;
  constructor(entries: ReadonlyMap<string, Entry>, isFrozen = true) {
    this.entries = entries;
    this.weight = weightOfAll([...entries.values()].flat());
    this.isFrozen = isFrozen;
  }
}

/** A set, or a view of a dictionary. For yaql, all kinds but "values" are sets. */
export class Collection {
  readonly items: readonly Value[];
  readonly weight: number;
  readonly kind: "set" | "keys" | "items" | "values";
  readonly dictionary: Dictionary | null;
  constructor(
    items: readonly Value[],
    kind: "set" | "keys" | "items" | "values",
    dictionary: Dictionary | null = null,
  ) {
    this.items = items;
    this.kind = kind;
    this.dictionary = dictionary;
    this.weight = weightOfAll(items);
  }
}

export class Stream {
  readonly iterator: Iterator<Value>;
  constructor(values: Iterable<Value>) {
    const iterator = values[Symbol.iterator]();
    // Lacks `return`, so that a reader who stops leaves the rest to the next one, as in Python.
    this.iterator = { next: () => iterator.next() };
  }
}

/** A lazy sequence that can be read again, unlike a Stream. */
export class Recording {
  readonly source: Iterator<Value>;
  readonly seen: Value[] = [];
  constructor(source: Iterator<Value>) {
    this.source = source;
  }
}

type Comparison = (left: Value, right: Value) => number;

export class Ordering {
  readonly source: Iterable<Value>;
  readonly fields: Comparison[] = [];
  sorted: readonly Value[] | null = null;
  constructor(source: Iterable<Value>) {
    this.source = source;
  }
}

/** The value of `a => b`, before it becomes an entry of a dictionary. */
export class Pair {
  readonly source: Value;
  readonly destination: Value;
  constructor(source: Value, destination: Value) {
    this.source = source;
    this.destination = destination;
  }
}

export class Regex {
  readonly pattern: Pattern;
  constructor(pattern: Pattern) {
    this.pattern = pattern;
  }
}

export type Many = Sequence | Collection | Stream | Recording | Ordering;

export const isMany = (value: unknown): value is Many =>
  value instanceof Sequence ||
  value instanceof Collection ||
  value instanceof Stream ||
  value instanceof Recording ||
  value instanceof Ordering;

export const isIterator = (value: unknown): value is Stream | Recording =>
  value instanceof Stream || value instanceof Recording;

export const isSet = (value: unknown): value is Collection =>
  value instanceof Collection && value.kind !== "values";

function* replay({ source, seen }: Recording): Generator<Value> {
  for (let at = 0; ; at += 1) {
    if (at >= seen.length) {
      const { value, done } = source.next();
      if (done === true) return;
      seen.push(value);
    }
    yield seen[at] ?? null;
  }
}

const sortedItems = (ordering: Ordering): readonly Value[] => {
  ordering.sorted ??= [...ordering.source].sort((left, right) => {
    for (const compare of ordering.fields) {
      const order = compare(left, right);
      if (order !== 0) return order;
    }
    return 0;
  });
  return ordering.sorted;
};

export const iterate = (many: Many): Iterable<Value> => {
  if (many instanceof Stream) return { [Symbol.iterator]: () => many.iterator };
  if (many instanceof Recording) return replay(many);
  // Sorts only when the first value is read.
  if (many instanceof Ordering) return { [Symbol.iterator]: () => sortedItems(many).values() };
  return many.items;
};

export const isTrue = (value: Value): boolean => {
  if (value instanceof Sequence || value instanceof Collection) return value.items.length > 0;
  if (value instanceof Dictionary) return value.entries.size > 0;
  return value !== null && value !== false && value !== 0n && value !== 0 && value !== "";
};

/** The views of a frozen dictionary, which is a class of yaql's own, have these names. */
const VIEWS = { keys: "KeysView", items: "ItemsView", values: "ValuesView" } as const;

const typeOfCollection = ({ kind, dictionary }: Collection): string => {
  if (kind === "set") return "frozenset";
  return dictionary?.isFrozen ? VIEWS[kind] : `dict_${kind}`;
};

export const typeOf = (value: Value): string => {
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  if (typeof value === "string") return "str";
  if (value instanceof Sequence) return value.kind;
  if (value instanceof Dictionary) return value.isFrozen ? "FrozenDict" : "dict";
  if (value instanceof Collection) return typeOfCollection(value);
  if (value instanceof Ordering) return "OrderingIterable";
  if (value instanceof Pair) return "MappingRule";
  if (value instanceof Regex) return "re.Pattern";
  return isIterator(value) ? "generator" : "Context";
};

export const charactersOf = (text: string): readonly string[] => Array.from(text);

const HEX_BITS = 4;
const COUNTED_BITS = 32;

export const bitsOf = (value: bigint): number => {
  const hex = (value < 0n ? -value : value).toString(16);
  const first = COUNTED_BITS - Math.clz32(Number.parseInt(hex.charAt(0), 16));
  return (hex.length - 1) * HEX_BITS + first;
};

const floatText = (value: number): string => {
  const finite = floatOf(value);
  if (finite !== null) return numberText(finite);
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
};

const listed = (items: readonly Value[]): string => items.map(repr).join(", ");

const reprDictionary = ({ entries }: Dictionary): string =>
  `{${[...entries.values()].map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(", ")}}`;

const reprCollection = (collection: Collection): string => {
  const { items, kind, dictionary } = collection;
  if (kind !== "set") {
    const shown = dictionary?.isFrozen ? reprDictionary(dictionary) : `[${listed(items)}]`;
    return `${typeOf(collection)}(${shown})`;
  }
  return items.length === 0 ? "frozenset()" : `frozenset({${listed(items)}})`;
};

export const repr = (value: Value): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return floatText(value);
  if (typeof value === "string") return reprText(value);
  if (value instanceof Sequence) {
    const inner = listed(value.items);
    if (value.kind === "list") return `[${inner}]`;
    return value.items.length === 1 ? `(${inner},)` : `(${inner})`;
  }
  if (value instanceof Dictionary) return reprDictionary(value);
  if (value instanceof Collection) return reprCollection(value);
  if (value instanceof Regex) return `re.compile(${reprText(value.pattern.source)})`;
  return `<${typeOf(value)} object>`;
};

export const pythonText = (value: Value): string =>
  typeof value === "string" ? value : repr(value);
