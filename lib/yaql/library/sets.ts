import {
  type Call,
  type Definition,
  defineBoth,
  defineFunction,
  defineMethod,
} from "../definition.ts";
import { keyOf, setOf } from "../equality.ts";
import { YaqlError } from "../errors.ts";
import { anything, many, rest, set } from "../parameters.ts";
import { type Collection, isSet, Stream, typeOf, type Value } from "../values.ts";
import { flattened } from "./lists.ts";

const ITEMS = rest(anything("args"));
const COLLECTION = many("collection");
const SET = set("set");
const LEFT = set("left");
const RIGHT = set("right");
const VALUES = rest(anything("values"));
const ANYTHING = anything("arg");

/** In Python, only real sets have these methods, unlike a dictionary's views. */
const real = (collection: Collection, method: string): Collection => {
  if (collection.kind === "set") return collection;
  const owner = `'${typeOf(collection)}' object`;
  throw new YaqlError("type", `${owner} has no attribute '${method}'`);
};

const keysOf = (items: readonly Value[]): ReadonlySet<string> => new Set(items.map(keyOf));

const minus = (left: Collection, right: readonly Value[]): Collection => {
  const removed = keysOf(right);
  return setOf(left.items.filter((item) => !removed.has(keyOf(item))));
};

const difference = (call: Call): Collection =>
  minus(real(call.get(LEFT), "difference"), call.get(RIGHT).items);

export const SETS: readonly Definition[] = [
  defineFunction("set", [ITEMS], (call) =>
    call.engine.call("toSet", call.context, [], {
      receiver: new Stream(flattened(call.rest(ITEMS))),
    }),
  ),
  defineMethod("toSet", [COLLECTION], (call) => setOf(call.items(COLLECTION))),
  defineFunction("isSet", [ANYTHING], (call) => isSet(call.get(ANYTHING))),
  defineBoth("len", [SET], (call) => BigInt(call.get(SET).items.length)),
  defineMethod("union", [LEFT, RIGHT], (call) =>
    setOf([...real(call.get(LEFT), "union").items, ...call.get(RIGHT).items]),
  ),
  defineMethod("intersect", [LEFT, RIGHT], (call) => {
    const kept = keysOf(call.get(RIGHT).items);
    return setOf(
      real(call.get(LEFT), "intersection").items.filter((item) => kept.has(keyOf(item))),
    );
  }),
  defineMethod("difference", [LEFT, RIGHT], difference),
  defineFunction("#operator_-", [LEFT, RIGHT], difference),
  defineMethod("symmetricDifference", [LEFT, RIGHT], (call) => {
    const left = real(call.get(LEFT), "symmetric_difference");
    const right = call.get(RIGHT);
    return setOf([...minus(left, right.items).items, ...minus(right, left.items).items]);
  }),
  defineMethod("add", [SET, VALUES], (call) =>
    setOf([...real(call.get(SET), "union").items, ...call.rest(VALUES)]),
  ),
  defineMethod("remove", [SET, VALUES], (call) =>
    minus(real(call.get(SET), "difference"), call.rest(VALUES)),
  ),
];
