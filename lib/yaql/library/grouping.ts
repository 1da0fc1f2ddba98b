import { type Call, type Definition, defineMethod } from "../definition.ts";
import { equals, keyOf } from "../equality.ts";
import { typeError, YaqlError } from "../errors.ts";
import {
  anything,
  dictionary,
  integer,
  type Lambda,
  lambda,
  many,
  named,
  optional,
  ordering,
  rest,
} from "../parameters.ts";
import {
  Dictionary,
  type Entry,
  isIterator,
  isTrue,
  iterate,
  type Many,
  Ordering,
  Recording,
  Sequence,
  Stream,
  typeOf,
  type Value,
} from "../values.ts";
import { distinct, taken } from "./filtering.ts";

const COLLECTION = many("collection");
const SELECTOR = lambda("selector");
const ORDERING = ordering("collection");
const KEY_SELECTOR = lambda("keySelector");
const VALUE_SELECTOR = optional(lambda("valueSelector"));
const AGGREGATOR = optional(lambda("aggregator"));
const COLLECTIONS = rest(many("collections"));
const OTHER_NAMES = named(anything("kwargs"));
const FIRST = many("collection1");
const SECOND = many("collection2");
const PREDICATE = lambda("predicate");
const LENGTH = integer("length");
const INDEX = integer("index");
const DICT = dictionary("dict");
const ANOTHER = dictionary("another");
const LIST_MERGER = optional(lambda("listMerger"));
const ITEM_MERGER = optional(lambda("itemMerger"));
const LEVELS = optional(integer("maxLevels"));

const orderedBy = (call: Call, sign: 1 | -1, order: Ordering): Ordering => {
  const selector = call.get(SELECTOR);
  order.fields.push((left, right) => {
    const [a, b] = [selector(left), selector(right)];
    if (isTrue(call.call("#operator_<", a, b))) return -sign;
    return isTrue(call.call("#operator_>", a, b)) ? sign : 0;
  });
  return order;
};

const ordered = (name: string, sign: 1 | -1): Definition =>
  defineMethod(name, [COLLECTION, SELECTOR], (call) =>
    orderedBy(call, sign, new Ordering(call.items(COLLECTION))),
  );

const orderedFurther = (name: string, sign: 1 | -1): Definition =>
  defineMethod(name, [ORDERING, SELECTOR], (call) => orderedBy(call, sign, call.get(ORDERING)));

const FALLS_BACK: ReadonlySet<string> = new Set(["no_match", "index"]);

/**
 * Up to yaql 1.1.1, the aggregator got a key with its values and returned both. yaql still accepts
 * that form if the new one fails, unless an earlier group has shown that the new form is meant.
 */
const aggregating = (aggregator: Lambda): ((group: Entry) => Value) => {
  let mayFallBack = true;
  let failure: YaqlError | null = null;
  const asBefore = (group: Entry, reason: YaqlError): Value => {
    if (!mayFallBack) throw reason;
    let result: Value = null;
    try {
      result = aggregator(new Sequence(group));
    } catch (error) {
      if (!(error instanceof YaqlError)) throw error;
      throw reason;
    }
    const length = result instanceof Sequence ? result.items.length : 0;
    if (length === 2 || (typeof result === "string" && [...result].length === 2)) return result;
    if (result instanceof Dictionary && result.entries.size === 2) return result;
    throw reason;
  };
  return ([key, values]) => {
    if (failure !== null) return asBefore([key, values], failure);
    try {
      const result = aggregator(values);
      const [first] = values instanceof Sequence ? values.items : [];
      const [shown, more] = result instanceof Sequence ? result.items : [];
      const looksOld =
        values instanceof Sequence &&
        values.items.length === 2 &&
        result instanceof Sequence &&
        result.items.length === 2 &&
        more !== undefined &&
        equals(shown ?? null, first ?? null);
      if (!looksOld) mayFallBack = false;
      return new Sequence([key, result]);
    } catch (error) {
      if (!(error instanceof YaqlError) || !FALLS_BACK.has(error.kind)) throw error;
      failure = error;
      return asBefore([key, values], error);
    }
  };
};

const groupBy = (call: Call): Value => {
  const keySelector = call.get(KEY_SELECTOR);
  const valueSelector = call.get(VALUE_SELECTOR);
  const aggregator = call.get(AGGREGATOR);
  const groups = new Map<string, { readonly key: Value; readonly values: Value[] }>();
  for (const item of call.items(COLLECTION)) {
    const value = valueSelector === undefined ? item : valueSelector(item);
    const key = keySelector(item);
    const text = keyOf(key);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { key, values: [value] });
    else group.values.push(value);
  }
  const entries = [...groups.values()].map(
    ({ key, values }) => [key, new Sequence(values, "list")] as const,
  );
  const aggregate = aggregator === undefined ? null : aggregating(aggregator);
  const shown = (entry: Entry): Value =>
    aggregate === null ? new Sequence(entry) : aggregate(entry);
  function* results(): Generator<Value> {
    for (const entry of entries) yield shown(entry);
  }
  return new Stream(results());
};

function* zipped(collections: readonly Many[]): Generator<Value> {
  const iterators = collections.map((collection) => iterate(collection)[Symbol.iterator]());
  while (iterators.length > 0) {
    const items: Value[] = [];
    for (const iterator of iterators) {
      const { value, done } = iterator.next();
      if (done === true) return;
      items.push(value);
    }
    yield new Sequence(items);
  }
}

function* zippedLongest(collections: readonly Many[], filler: Value): Generator<Value> {
  const iterators = collections.map((collection) => iterate(collection)[Symbol.iterator]());
  for (;;) {
    const results = iterators.map((iterator) => iterator.next());
    if (results.every(({ done }) => done === true)) return;
    yield new Sequence(results.map(({ value, done }) => (done === true ? filler : value)));
  }
}

function* joined(first: Many, second: Many, predicate: Lambda, selector: Lambda): Generator<Value> {
  const others = isIterator(second) ? new Recording(iterate(second)[Symbol.iterator]()) : second;
  for (const item of iterate(first)) {
    for (const other of iterate(others)) {
      if (isTrue(predicate(item, other))) yield selector(item, other);
    }
  }
}

function* sliced(items: Iterable<Value>, length: number): Generator<Value> {
  const rest = new Stream(items);
  for (;;) {
    const part = [...taken(iterate(rest), length)];
    if (part.length === 0) return;
    yield new Sequence(part);
  }
}

function* split(items: readonly Value[], predicate: Lambda): Generator<Value> {
  let start = 0;
  for (const [end, item] of items.entries()) {
    if (!isTrue(predicate(item))) continue;
    yield new Sequence(items.slice(start, end));
    start = end + 1;
  }
  if (start !== items.length) yield new Sequence(items.slice(start));
}

function* slicedWhere(items: readonly Value[], predicate: Lambda): Generator<Value> {
  let start = 0;
  let before: Value | undefined;
  for (const [end, item] of items.entries()) {
    const now = predicate(item);
    if (before !== undefined && !equals(now, before)) {
      yield new Sequence(items.slice(start, end));
      start = end;
    }
    before = now;
  }
  if (start !== items.length) yield new Sequence(items.slice(start));
}

interface Merging {
  readonly lists: Lambda;
  readonly items: Lambda;
}

const classText = (value: Value): string => {
  const isFrozen = value instanceof Dictionary && value.isFrozen;
  return `<class '${isFrozen ? "yaql.language.utils." : ""}${typeOf(value)}'>`;
};

const cannotMerge = (left: Value, right: Value): YaqlError =>
  typeError(`Cannot merge ${classText(left)} with ${classText(right)}`);

const mergedValue = (left: Value, right: Value, merging: Merging, levels: bigint): Value => {
  if (levels !== 1n && right instanceof Dictionary) {
    if (!(left instanceof Dictionary)) throw cannotMerge(left, right);
    return merged(left, right, merging, levels === 0n ? 0n : levels - 1n);
  }
  if (levels !== 1n && right instanceof Sequence) {
    if (!(left instanceof Sequence)) throw cannotMerge(left, right);
    return merging.lists(left, right);
  }
  return merging.items(left, right);
};

const merged = (
  left: Dictionary,
  right: Dictionary,
  merging: Merging,
  levels: bigint,
): Dictionary => {
  const entries = new Map(left.entries);
  for (const [key, entry] of right.entries) {
    const own = left.entries.get(key);
    const value = own === undefined ? entry[1] : mergedValue(own[1], entry[1], merging, levels);
    entries.set(key, [own?.[0] ?? entry[0], value]);
  }
  return new Dictionary(entries, false);
};

const bothLists = (left: Value, right: Value): Value => {
  if (!(left instanceof Sequence && right instanceof Sequence)) throw cannotMerge(left, right);
  if (left.kind !== right.kind) {
    const what = `can only concatenate ${left.kind} (not "${right.kind}") to ${left.kind}`;
    throw typeError(what);
  }
  return new Sequence([...distinct([...left.items, ...right.items])]);
};

const listOf = (call: Call): readonly Value[] => [...call.items(COLLECTION)];

export const GROUPING: readonly Definition[] = [
  ordered("orderBy", 1),
  ordered("orderByDescending", -1),
  orderedFurther("thenBy", 1),
  orderedFurther("thenByDescending", -1),
  defineMethod("groupBy", [COLLECTION, KEY_SELECTOR, VALUE_SELECTOR, AGGREGATOR], groupBy),
  defineMethod("zip", [COLLECTIONS], (call) => zipped(call.rest(COLLECTIONS))),
  defineMethod("zipLongest", [COLLECTIONS, OTHER_NAMES], (call) => {
    const filler = call.named(OTHER_NAMES).find(([name]) => name === "default");
    return zippedLongest(call.rest(COLLECTIONS), filler?.[1] ?? null);
  }),
  defineMethod("join", [FIRST, SECOND, PREDICATE, SELECTOR], (call) =>
    joined(call.get(FIRST), call.get(SECOND), call.get(PREDICATE), call.get(SELECTOR)),
  ),
  defineMethod("slice", [COLLECTION, LENGTH], (call) =>
    sliced(call.items(COLLECTION), Number(call.get(LENGTH))),
  ),
  defineMethod("splitWhere", [COLLECTION, PREDICATE], (call) =>
    split(listOf(call), call.get(PREDICATE)),
  ),
  defineMethod("sliceWhere", [COLLECTION, PREDICATE], (call) =>
    slicedWhere(listOf(call), call.get(PREDICATE)),
  ),
  defineMethod("splitAt", [COLLECTION, INDEX], (call) => {
    const items = listOf(call);
    const index = Number(call.get(INDEX));
    const parts = [items.slice(0, index), items.slice(index)];
    return new Sequence(
      parts.map((part) => new Sequence(part)),
      "list",
    );
  }),
  defineMethod("reverse", [COLLECTION], (call) => listOf(call).toReversed()),
  defineMethod("mergeWith", [DICT, ANOTHER, LIST_MERGER, ITEM_MERGER, LEVELS], (call) => {
    const lists = call.get(LIST_MERGER) ?? ((left = null, right = null) => bothLists(left, right));
    const items = call.get(ITEM_MERGER) ?? ((_, right = null) => right);
    return merged(call.get(DICT), call.get(ANOTHER), { lists, items }, call.get(LEVELS) ?? 0n);
  }),
];
