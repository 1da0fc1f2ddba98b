import { type Call, type Definition, defineBoth, defineMethod } from "../definition.ts";
import { typeError, YaqlError } from "../errors.ts";
import { anything, iterator, lambda, many, optional } from "../parameters.ts";
import { isTrue, iterate, Sequence, type Value } from "../values.ts";

const COLLECTION = many("collection");
const PREDICATE = optional(lambda("predicate"));
const ITERATOR = iterator("collection");
const INITIAL = optional(anything("initial"));
const DEFAULT = optional(anything("default"));
const SELECTOR = lambda("selector");
const SEED = optional(anything("seed"));

type Combine = (total: Value, item: Value) => Value;

const stop = (text = ""): YaqlError => new YaqlError("stop", text);

const reduced = (items: Iterable<Value>, combine: Combine, seed: Value | undefined): Value => {
  let total = seed;
  for (const item of items) total = total === undefined ? item : combine(total, item);
  if (total !== undefined) return total;
  throw typeError("reduce() of empty iterable with no initial value");
};

function* accumulated(
  items: Iterable<Value>,
  combine: Combine,
  seed: Value | undefined,
): Generator<Value> {
  let total = seed;
  if (total !== undefined) yield total;
  for (const item of items) {
    total = total === undefined ? item : combine(total, item);
    yield total;
  }
  if (total === undefined) {
    throw typeError("accumulate() of empty sequence with no initial value");
  }
}

const folding = (name: string, combiner: string): Definition =>
  defineMethod(name, [COLLECTION, INITIAL], (call) =>
    reduced(
      call.items(COLLECTION),
      (total, item) => call.call(combiner, total, item),
      call.get(INITIAL),
    ),
  );

/** Nothing else limits a stream that is only counted. */
const countOf = (call: Call, items: Iterable<Value>): bigint => {
  let count = 0n;
  for (const _ of items) {
    call.engine.spend(1);
    count += 1n;
  }
  return count;
};

const single = (call: Call): Value => {
  const iterator = call.items(COLLECTION)[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) throw stop();
  if (iterator.next().done === true) return first.value;
  throw stop("Collection contains more than one item");
};

const last = (call: Call): Value => {
  const collection = call.get(COLLECTION);
  let value = call.get(DEFAULT);
  if (collection instanceof Sequence) value = collection.items.at(-1) ?? lastOf(collection, value);
  else for (const item of iterate(collection)) value = item;
  if (value === undefined) throw stop();
  return value;
};

/** A last item may be null, which must not count as missing. */
const lastOf = ({ items }: Sequence, fallback: Value | undefined): Value | undefined =>
  items.length === 0 ? fallback : null;

export const AGGREGATION: readonly Definition[] = [
  defineBoth("any", [COLLECTION, PREDICATE], (call) => {
    const predicate = call.get(PREDICATE);
    for (const item of call.items(COLLECTION)) {
      if (predicate === undefined || isTrue(predicate(item))) return true;
    }
    return false;
  }),
  defineBoth("all", [COLLECTION, PREDICATE], (call) => {
    const predicate = call.get(PREDICATE);
    for (const item of call.items(COLLECTION)) {
      if (!isTrue(predicate === undefined ? item : predicate(item))) return false;
    }
    return true;
  }),
  defineBoth("len", [ITERATOR], (call) => countOf(call, call.items(ITERATOR))),
  defineMethod("count", [COLLECTION], (call) => countOf(call, call.items(COLLECTION))),
  folding("sum", "#operator_+"),
  folding("max", "max"),
  folding("min", "min"),
  defineMethod("first", [COLLECTION, DEFAULT], (call) => {
    for (const item of call.items(COLLECTION)) return item;
    const fallback = call.get(DEFAULT);
    if (fallback === undefined) throw stop();
    return fallback;
  }),
  defineMethod("single", [COLLECTION], single),
  defineMethod("last", [COLLECTION, DEFAULT], last),
  ...["aggregate", "reduce"].map((name) =>
    defineMethod(name, [COLLECTION, SELECTOR, SEED], (call) =>
      reduced(call.items(COLLECTION), call.get(SELECTOR), call.get(SEED)),
    ),
  ),
  defineMethod("accumulate", [COLLECTION, SELECTOR, SEED], (call) =>
    accumulated(call.items(COLLECTION), call.get(SELECTOR), call.get(SEED)),
  ),
];
