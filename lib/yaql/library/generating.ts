import { type Definition, defineFunction, defineMethod } from "../definition.ts";
import { type Limits, limited, limitMemory } from "../engine.ts";
import { keyOf } from "../equality.ts";
import { typeError, valueError } from "../errors.ts";
import { anything, flag, integer, type Lambda, lambda, many, optional } from "../parameters.ts";
import {
  charactersOf,
  Dictionary,
  isMany,
  isTrue,
  iterate,
  Sequence,
  typeOf,
  type Value,
} from "../values.ts";

const STOP = integer("stop");
const START = integer("start");
const STEP = optional(integer("step"));
const OPTIONAL_START = optional(integer("start"));
const VALUE = anything("value");
const TIMES = optional(integer("times"));
const COLLECTION = many("collection");
const INITIAL = anything("initial");
const PREDICATE = lambda("predicate");
const PRODUCER = lambda("producer");
const SELECTOR = optional(lambda("selector"));
const DECYCLE = optional(flag("decycle"));
const DEPTH_FIRST = optional(flag("depthFirst"));

function* range(start: bigint, stop: bigint | null, step: bigint): Generator<Value> {
  const goesOn = (at: bigint): boolean => stop === null || (step > 0n ? at < stop : at > stop);
  for (let at = start; goesOn(at); at += step) yield at;
}

function* repeat(value: Value, times: bigint): Generator<Value> {
  for (let left = times; left !== 0n; left -= 1n) yield value;
}

function* cycle(items: Iterable<Value>): Generator<Value> {
  const all: Value[] = [];
  for (const item of items) {
    all.push(item);
    yield item;
  }
  while (all.length > 0) yield* all;
}

interface Production {
  readonly producer: Lambda;
  readonly selector: Lambda | undefined;
  readonly decycle: boolean;
}

function* generated(
  initial: Value,
  predicate: Lambda,
  { producer, selector, decycle }: Production,
): Generator<Value> {
  const past = new Set<string>();
  for (let item = initial; isTrue(predicate(item)); item = producer(item)) {
    if (decycle) {
      const key = keyOf(item);
      if (past.has(key)) return;
      past.add(key);
    }
    yield selector === undefined ? item : selector(item);
  }
}

const producedItems = (limits: Limits, value: Value): readonly Value[] => {
  if (isMany(value)) return [...iterate(limited(limits, value))];
  if (typeof value === "string") return charactersOf(value);
  if (value instanceof Dictionary) return [...value.entries.values()].map(([key]) => key);
  throw typeError(`'${typeOf(value)}' object is not iterable`);
};

function* generatedMany(
  initial: Value,
  { producer, selector, decycle }: Production,
  depthFirst: boolean,
  limits: Limits,
): Generator<Value> {
  const past = new Set<string>();
  let queue: readonly Value[] = [initial];
  for (let [item] = queue; item !== undefined; [item] = queue) {
    queue = queue.slice(1);
    if (decycle) {
      const key = keyOf(item);
      if (past.has(key)) continue;
      past.add(key);
    }
    yield selector === undefined ? item : selector(item);
    const produced = producedItems(limits, producer(item));
    queue = depthFirst ? [...produced, ...queue] : [...queue, ...produced];
    limits.spend(queue.length);
    limitMemory(limits, new Sequence(queue));
  }
}

export const GENERATING: readonly Definition[] = [
  defineFunction("range", [STOP], (call) => range(0n, call.get(STOP), 1n)),
  defineFunction("range", [START, STOP, STEP], (call) => {
    const step = call.get(STEP) ?? 1n;
    if (step === 0n) throw valueError("range() arg 3 must not be zero");
    return range(call.get(START), call.get(STOP), step);
  }),
  defineFunction("sequence", [OPTIONAL_START, STEP], (call) =>
    range(call.get(OPTIONAL_START) ?? 0n, null, call.get(STEP) ?? 1n),
  ),
  defineMethod("repeat", [VALUE, TIMES], (call) => repeat(call.get(VALUE), call.get(TIMES) ?? -1n)),
  defineMethod("cycle", [COLLECTION], (call) => cycle(call.items(COLLECTION))),
  defineFunction("generate", [INITIAL, PREDICATE, PRODUCER, SELECTOR, DECYCLE], (call) => {
    const production = {
      producer: call.get(PRODUCER),
      selector: call.get(SELECTOR),
      decycle: call.get(DECYCLE) ?? false,
    };
    return generated(call.get(INITIAL), call.get(PREDICATE), production);
  }),
  defineFunction("generateMany", [INITIAL, PRODUCER, SELECTOR, DECYCLE, DEPTH_FIRST], (call) => {
    const production = {
      producer: call.get(PRODUCER),
      selector: call.get(SELECTOR),
      decycle: call.get(DECYCLE) ?? false,
    };
    const depthFirst = call.get(DEPTH_FIRST) ?? false;
    return generatedMany(call.get(INITIAL), production, depthFirst, call.engine);
  }),
];
