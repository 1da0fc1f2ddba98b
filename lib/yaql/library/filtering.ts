import {
  type Call,
  type Definition,
  defineBoth,
  defineFunction,
  defineMethod,
} from "../definition.ts";
import { equals, keyOf } from "../equality.ts";
import { valueError } from "../errors.ts";
import {
  anything,
  integer,
  keyword,
  lambda,
  many,
  nullable,
  optional,
  rest,
} from "../parameters.ts";
import {
  isIterator,
  isMany,
  isSet,
  isTrue,
  iterate,
  type Many,
  Recording,
  Sequence,
  type Value,
} from "../values.ts";
import { chained } from "./lists.ts";

const COLLECTION = many("collection");
const PREDICATE = lambda("predicate");
const SELECTOR = lambda("selector");
const MEMBER = keyword("attribute");
const COUNT = integer("count");
const ITEMS = rest(anything("args"));
const COLLECTIONS = rest(many("collections"));
const KEY_SELECTOR = optional(lambda("keySelector"));
const START = optional(nullable(integer("start")));
const ITEM = anything("item");
const DEFAULT = many("default");
const VALUE = anything("value");

type Items = Iterable<Value>;

function* filtered(items: Items, predicate: (item: Value) => Value): Generator<Value> {
  for (const item of items) if (isTrue(predicate(item))) yield item;
}

function* mapped(items: Items, selector: (item: Value) => Value): Generator<Value> {
  for (const item of items) yield selector(item);
}

function* skipped(items: Items, count: number): Generator<Value> {
  let place = 0;
  for (const item of items) {
    if (place >= count) yield item;
    place += 1;
  }
}

export function* taken(items: Items, count: number): Generator<Value> {
  const iterator = items[Symbol.iterator]();
  for (let place = 0; place < count; place += 1) {
    const { value, done } = iterator.next();
    if (done === true) return;
    yield value;
  }
}

export function* distinct(items: Items, keySelector?: (item: Value) => Value): Generator<Value> {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(keySelector === undefined ? item : keySelector(item));
    if (seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}

function* enumerated(items: Items, start: bigint): Generator<Value> {
  let place = start;
  for (const item of items) {
    yield new Sequence([place, item], "list");
    place += 1n;
  }
}

function* selectedMany(items: Items, selector: (item: Value) => Value): Generator<Value> {
  for (const item of items) {
    const inner = selector(item);
    if (isMany(inner)) yield* iterate(inner);
    else yield inner;
  }
}

function* takenWhile(items: Items, predicate: (item: Value) => Value): Generator<Value> {
  for (const item of items) {
    if (!isTrue(predicate(item))) return;
    yield item;
  }
}

function* skippedWhile(items: Items, predicate: (item: Value) => Value): Generator<Value> {
  let isSkipping = true;
  for (const item of items) {
    isSkipping &&= isTrue(predicate(item));
    if (!isSkipping) yield item;
  }
}

const countOf = (call: Call, what: string): number => {
  const count = call.get(COUNT);
  if (count >= 0n) return Number(count);
  throw valueError(`${what} must be None or an integer: 0 <= x <= sys.maxsize.`);
};

const placeOf = (items: Items, isWanted: (item: Value) => boolean, takesLast: boolean): bigint => {
  let found = -1n;
  let place = 0n;
  for (const item of items) {
    if (isWanted(item)) {
      found = place;
      if (!takesLast) return found;
    }
    place += 1n;
  }
  return found;
};

const finding = (suffix: "" | "last", takesLast: boolean): readonly Definition[] => [
  defineMethod(suffix === "" ? "indexOf" : "lastIndexOf", [COLLECTION, ITEM], (call) => {
    const item = call.get(ITEM);
    return placeOf(call.items(COLLECTION), (other) => equals(other, item), takesLast);
  }),
  defineMethod(suffix === "" ? "indexWhere" : "lastIndexWhere", [COLLECTION, PREDICATE], (call) => {
    const predicate = call.get(PREDICATE);
    return placeOf(call.items(COLLECTION), (item) => isTrue(predicate(item)), takesLast);
  }),
];

const recorded = (collection: Many): Many =>
  isIterator(collection) ? new Recording(iterate(collection)[Symbol.iterator]()) : collection;

const orDefault = (call: Call): Value => {
  const collection = call.get(COLLECTION);
  const fallback = call.get(DEFAULT);
  if (collection instanceof Sequence || isSet(collection)) {
    return collection.items.length === 0 ? fallback : collection;
  }
  const again = recorded(collection);
  for (const _ of iterate(again)) return again;
  return fallback;
};

const streaming = (
  name: string,
  operation: (items: Items, lambda: (item: Value) => Value) => Iterable<Value>,
  parameter: typeof PREDICATE,
): Definition =>
  defineMethod(name, [COLLECTION, parameter], (call) =>
    operation(call.items(COLLECTION), call.get(parameter)),
  );

export const FILTERING: readonly Definition[] = [
  streaming("where", filtered, PREDICATE),
  streaming("filter", filtered, PREDICATE),
  streaming("select", mapped, SELECTOR),
  streaming("map", mapped, SELECTOR),
  streaming("selectMany", selectedMany, SELECTOR),
  streaming("takeWhile", takenWhile, PREDICATE),
  streaming("skipWhile", skippedWhile, PREDICATE),
  defineFunction("#operator_.", [COLLECTION, MEMBER], (call) => {
    const member = call.get(MEMBER);
    const items = call.items(COLLECTION);
    return mapped(items, (item) => call.call("#operator_.", item, member));
  }),
  ...["limit", "take"].map((name) =>
    defineMethod(name, [COLLECTION, COUNT], (call) =>
      taken(call.items(COLLECTION), countOf(call, "Stop argument for islice()")),
    ),
  ),
  defineMethod("skip", [COLLECTION, COUNT], (call) =>
    skipped(call.items(COLLECTION), countOf(call, "Indices for islice()")),
  ),
  defineBoth("append", [COLLECTION, ITEMS], (call) => {
    const added = new Sequence(call.rest(ITEMS));
    return chained([call.get(COLLECTION), added]);
  }),
  defineBoth("concat", [COLLECTIONS], (call) => chained(call.rest(COLLECTIONS))),
  defineBoth("distinct", [COLLECTION, KEY_SELECTOR], (call) =>
    distinct(call.items(COLLECTION), call.get(KEY_SELECTOR)),
  ),
  defineBoth("enumerate", [COLLECTION, START], (call) =>
    enumerated(call.items(COLLECTION), call.get(START) ?? 0n),
  ),
  ...finding("", false),
  ...finding("last", true),
  defineMethod("memorize", [COLLECTION], (call) => recorded(call.get(COLLECTION))),
  defineMethod("defaultIfEmpty", [COLLECTION, DEFAULT], orDefault),
  defineFunction("isIterable", [VALUE], (call) => isMany(call.get(VALUE))),
];
