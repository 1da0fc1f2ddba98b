import {
  type Call,
  type Definition,
  defineBoth,
  defineFunction,
  defineMethod,
} from "../definition.ts";
import { bytesOf, limitBytes, limitMemory, sequenceBytes } from "../engine.ts";
import { equals, keyOf, setOf } from "../equality.ts";
import { typeError, valueError, YaqlError } from "../errors.ts";
import { anything, integer, many, manyButNoSet, optional, rest, sequence } from "../parameters.ts";
import {
  Collection,
  charactersOf,
  Dictionary,
  isIterator,
  isMany,
  isSet,
  iterate,
  type Many,
  Sequence,
  Stream,
  typeOf,
  type Value,
} from "../values.ts";

const ITEMS = rest(anything("args"));
const COLLECTION = many("collection");
const NO_SET = manyButNoSet("collection");
const VALUE = anything("value");
const LIST = sequence("list");
const SEQUENCE = sequence("sequence");
const LIST_TO_CHANGE = sequence("collection");
const INDEX = integer("index");
const LEFT = many("left");
const RIGHT = many("right");
const LEFT_LIST = sequence("left");
const RIGHT_LIST = sequence("right");
const LEFT_TIMES = integer("left");
const RIGHT_TIMES = integer("right");
const ANYTHING = anything("arg");
const POSITION = integer("position");
const COUNT = optional(integer("count"));
const VALUES = many("values");

export function* flattened(items: Iterable<Value>): Generator<Value> {
  for (const item of items) {
    if (isIterator(item)) yield* flattened(iterate(item));
    else yield item;
  }
}

function* flattenedDeep(items: Iterable<Value>): Generator<Value> {
  for (const item of items) {
    if (isMany(item)) yield* flattenedDeep(iterate(item));
    else yield item;
  }
}

export function* chained(collections: readonly Many[]): Generator<Value> {
  for (const collection of collections) yield* iterate(collection);
}

/** Python's `in`, which compares hashes in a set. */
const includes = (collection: Many, value: Value): boolean => {
  if (collection instanceof Collection && areItems(collection)) {
    return isAmongItems(collection, value);
  }
  if (isSet(collection)) {
    const key = keyOf(value);
    return collection.items.some((item) => keyOf(item) === key);
  }
  for (const item of iterate(collection)) if (equals(item, value)) return true;
  return false;
};

const joined = (call: Call): Value => {
  const [left, right] = [call.get(LEFT), call.get(RIGHT)];
  if (left instanceof Sequence && right instanceof Sequence) {
    if (left.kind === "tuple" && right.kind === "tuple") {
      limitBytes(call.engine, [1, bytesOf(left)], [1, bytesOf(right)]);
      return new Sequence([...left.items, ...right.items]);
    }
  }
  const areSets = [left, right].every((side) => side instanceof Collection && side.kind === "set");
  return areSets ? setOf(chained([left, right])) : new Stream(chained([left, right]));
};

const repeated = (call: Call, list: Sequence, times: bigint): Sequence => {
  const count = Number(times);
  limitBytes(call.engine, [1 - count, sequenceBytes(0, "list")], [count, bytesOf(list)]);
  const length = Math.max(count, 0) * list.items.length;
  limitBytes(call.engine, [1, sequenceBytes(length, list.kind)]);
  const items = Array.from({ length }, (_, at) => list.items[at % list.items.length] ?? null);
  return new Sequence(items, list.kind);
};

const isTaken = (at: number, position: bigint, count: bigint): boolean =>
  count >= 0n ? position <= at && at < position + count : at >= position;

function* deleted(items: Iterable<Value>, position: bigint, count: bigint): Generator<Value> {
  let at = 0;
  for (const item of items) {
    if (!isTaken(at, position, count)) yield item;
    at += 1;
  }
}

function* replaced(
  items: Iterable<Value>,
  { position, count }: { readonly position: bigint; readonly count: bigint },
  values: () => Iterable<Value>,
): Generator<Value> {
  let at = 0;
  let isDone = false;
  for (const item of items) {
    if (!isTaken(at, position, count)) yield item;
    else if (!isDone) {
      isDone = true;
      yield* values();
    }
    at += 1;
  }
}

function* inserted(
  items: Iterable<Value>,
  position: bigint,
  values: () => Iterable<Value>,
): Generator<Value> {
  let at = -1n;
  for (const item of items) {
    at += 1n;
    if (at === position) yield* values();
    yield item;
  }
  if (position > at) yield* values();
}

function* insertedMany(
  items: Iterable<Value>,
  position: bigint,
  values: () => Iterable<Value>,
): Generator<Value> {
  if (position < 0n) yield* values();
  yield* inserted(items, position, values);
}

const insertedInList = (list: Sequence, position: bigint, value: Value): Sequence => {
  const items = [...list.items];
  const { length } = items;
  const at = position < 0n ? Math.max(length + Number(position), 0) : Number(position);
  items.splice(Math.min(at, length), 0, value);
  return new Sequence(items, "list");
};

const toList = (collection: Many): Sequence =>
  collection instanceof Sequence && collection.kind === "tuple"
    ? collection
    : new Sequence([...iterate(collection)]);

export const LISTS: readonly Definition[] = [
  defineFunction("list", [ITEMS], (call) =>
    call.engine.call("toList", call.context, [], {
      receiver: new Stream(flattened(call.rest(ITEMS))),
    }),
  ),
  defineFunction("#list", [ITEMS], (call) => {
    const items = call.rest(ITEMS);
    limitBytes(call.engine, ...items.map((item) => [1, bytesOf(item)] as const));
    return new Sequence(items);
  }),
  defineMethod("toList", [COLLECTION], (call) => {
    const list = toList(call.get(COLLECTION));
    limitMemory(call.engine, list);
    return list;
  }),
  defineMethod("flatten", [COLLECTION], (call) => flattenedDeep(call.items(COLLECTION))),
  defineFunction("#indexer", [LIST, INDEX], (call) => {
    const list = call.get(LIST);
    const item = list.items.at(Number(call.get(INDEX)));
    if (item === undefined) throw new YaqlError("index", `${list.kind} index out of range`);
    return item;
  }),
  defineFunction("#operator_in", [VALUE, COLLECTION], (call) =>
    includes(call.get(COLLECTION), call.get(VALUE)),
  ),
  defineMethod("contains", [COLLECTION, VALUE], (call) =>
    includes(call.get(COLLECTION), call.get(VALUE)),
  ),
  defineFunction("#operator_+", [LEFT, RIGHT], joined),
  defineFunction("#operator_*", [LEFT_LIST, RIGHT_TIMES], (call) =>
    repeated(call, call.get(LEFT_LIST), call.get(RIGHT_TIMES)),
  ),
  defineFunction("#operator_*", [LEFT_TIMES, RIGHT_LIST], (call) =>
    repeated(call, call.get(RIGHT_LIST), call.get(LEFT_TIMES)),
  ),
  defineFunction("isList", [ANYTHING], (call) => call.get(ANYTHING) instanceof Sequence),
  defineBoth("len", [SEQUENCE], (call) => BigInt(call.get(SEQUENCE).items.length)),
  defineMethod("delete", [COLLECTION, POSITION, COUNT], (call) =>
    deleted(call.items(COLLECTION), call.get(POSITION), call.get(COUNT) ?? 1n),
  ),
  defineMethod("replace", [COLLECTION, POSITION, VALUE, COUNT], (call) => {
    const place = { position: call.get(POSITION), count: call.get(COUNT) ?? 1n };
    const value = call.get(VALUE);
    return replaced(call.items(COLLECTION), place, () => [value]);
  }),
  defineMethod("replaceMany", [COLLECTION, POSITION, VALUES, COUNT], (call) => {
    const place = { position: call.get(POSITION), count: call.get(COUNT) ?? 1n };
    const values = call.get(VALUES);
    return replaced(call.items(COLLECTION), place, () => iterate(values));
  }),
  defineMethod("insert", [NO_SET, POSITION, VALUE], (call) => {
    const value = call.get(VALUE);
    return inserted(call.items(NO_SET), call.get(POSITION), () => [value]);
  }),
  defineMethod("insert", [LIST_TO_CHANGE, POSITION, VALUE], (call) =>
    insertedInList(call.get(LIST_TO_CHANGE), call.get(POSITION), call.get(VALUE)),
  ),
  defineMethod("insertMany", [COLLECTION, POSITION, VALUES], (call) => {
    const values = call.get(VALUES);
    const items = call.items(COLLECTION);
    return insertedMany(items, call.get(POSITION), () => iterate(values));
  }),
];

const PAIR = 2;

const membersOf = (value: Value): readonly Value[] => {
  if (typeof value === "string") return charactersOf(value);
  if (value instanceof Dictionary) return [...value.entries.values()].map(([key]) => key);
  if (isMany(value)) return [...iterate(value)];
  throw typeError(`cannot unpack non-iterable ${typeOf(value)} object`);
};

/** Membership in the items of a frozen dictionary. Python searches them for pairs only. */
export const areItems = (collection: Collection): boolean =>
  collection.kind === "items" && collection.dictionary?.isFrozen === true;

export const isAmongItems = ({ dictionary }: Collection, value: Value): boolean => {
  const members = membersOf(value);
  const [key = null, wanted = null] = members;
  if (members.length > PAIR) throw valueError(`too many values to unpack (expected ${PAIR})`);
  if (members.length < PAIR) {
    throw valueError(`not enough values to unpack (expected ${PAIR}, got ${members.length})`);
  }
  const entry = dictionary?.entries.get(keyOf(key));
  return entry !== undefined && equals(entry[1], wanted);
};
