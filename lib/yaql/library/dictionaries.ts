import {
  type Call,
  type Definition,
  defineBoth,
  defineFunction,
  defineFunctionOfRules,
  defineMethod,
  defineMethodOfRules,
} from "../definition.ts";
import { limitMemory } from "../engine.ts";
import { dictionaryOf, entryOf, equals, keyOf } from "../equality.ts";
import { typeError, YaqlError } from "../errors.ts";
import {
  anything,
  dictionary,
  keyword,
  lambda,
  many,
  optional,
  pair,
  rest,
} from "../parameters.ts";
import {
  Collection,
  charactersOf,
  Dictionary,
  type Entry,
  isMany,
  iterate,
  repr,
  Sequence,
  typeOf,
  type Value,
} from "../values.ts";

const DICT = dictionary("dict");
const KEY = anything("key");
const VALUE = anything("value");
const FALLBACK = anything("default");
const OPTIONAL_FALLBACK = optional(anything("default"));
const MEMBER = keyword("key");
const PAIRS = rest(pair("args"));
const ITEMS = many("items");
const REPLACEMENTS = dictionary("replacements");
const KEYS = rest(anything("keys"));
const KEY_LIST = many("keys");
const LEFT = dictionary("left");
const RIGHT = dictionary("right");
const ANYTHING = anything("arg");
const COLLECTION = many("collection");
const KEY_SELECTOR = lambda("keySelector");
const VALUE_SELECTOR = optional(lambda("valueSelector"));

const entriesOf = ({ entries }: Dictionary): readonly Entry[] => [...entries.values()];

const valueAt = ({ entries }: Dictionary, key: Value): Value => {
  const entry = entries.get(keyOf(key));
  if (entry === undefined) throw new YaqlError("key", repr(key));
  return entry[1];
};

const valueOr = ({ entries }: Dictionary, key: Value, fallback: Value): Value => {
  const entry = entries.get(keyOf(key));
  return entry === undefined ? fallback : entry[1];
};

const without = ({ entries }: Dictionary, keys: Iterable<Value>): Dictionary => {
  const left = new Map(entries);
  for (const key of keys) left.delete(keyOf(key));
  return new Dictionary(left, false);
};

const iterated = (value: Value): Iterable<Value> => {
  if (isMany(value)) return iterate(value);
  if (typeof value === "string") return charactersOf(value);
  if (value instanceof Dictionary) return entriesOf(value).map(([key]) => key);
  throw typeError(`'${typeOf(value)}' object is not iterable`);
};

const entryFrom = (item: Value): readonly [Value, Value] => {
  const entry: Value[] = [];
  for (const member of iterated(item)) {
    entry.push(member);
    if (entry.length === 2) break;
  }
  const [key, value] = entry;
  if (key === undefined || value === undefined) throw new YaqlError("stop", "");
  return [key, value];
};

const ofPairs = (call: Call): Dictionary => dictionaryOf(call.rest(PAIRS).map(entryOf));

const toDictionary = (call: Call): Dictionary => {
  const key = call.get(KEY_SELECTOR);
  const value = call.get(VALUE_SELECTOR);
  const entries: (readonly [Value, Value])[] = [];
  for (const item of call.items(COLLECTION)) {
    entries.push([key(item), value === undefined ? item : value(item)]);
  }
  return dictionaryOf(entries, false);
};

const changed = (call: Call, more: readonly (readonly [Value, Value])[]): Dictionary =>
  dictionaryOf([...entriesOf(call.get(DICT)), ...more]);

export const DICTIONARIES: readonly Definition[] = [
  defineFunctionOfRules("dict", [PAIRS], ofPairs),
  defineFunctionOfRules("#map", [PAIRS], ofPairs),
  defineFunctionOfRules("dict", [ITEMS], (call) => {
    const entries: (readonly [Value, Value])[] = [];
    for (const item of call.items(ITEMS)) entries.push(entryFrom(item));
    return dictionaryOf(entries);
  }),
  defineMethod("toDict", [COLLECTION, KEY_SELECTOR, VALUE_SELECTOR], toDictionary),
  defineFunction("#operator_.", [DICT, MEMBER], (call) =>
    valueAt(call.get(DICT), call.get(MEMBER).value),
  ),
  defineFunction("#indexer", [DICT, KEY], (call) => valueAt(call.get(DICT), call.get(KEY))),
  defineFunction("#indexer", [DICT, KEY, FALLBACK], (call) =>
    valueOr(call.get(DICT), call.get(KEY), call.get(FALLBACK)),
  ),
  defineMethod("get", [DICT, KEY, OPTIONAL_FALLBACK], (call) =>
    valueOr(call.get(DICT), call.get(KEY), call.get(OPTIONAL_FALLBACK) ?? null),
  ),
  defineMethodOfRules("set", [DICT, KEY, VALUE], (call) => {
    limitMemory(call.engine, call.get(KEY));
    return changed(call, [[call.get(KEY), call.get(VALUE)]]);
  }),
  defineMethodOfRules("set", [DICT, REPLACEMENTS], (call) =>
    changed(call, entriesOf(call.get(REPLACEMENTS))),
  ),
  defineMethodOfRules("set", [DICT, PAIRS], (call) => changed(call, call.rest(PAIRS).map(entryOf))),
  defineMethod("keys", [DICT], (call) => {
    const keys = entriesOf(call.get(DICT)).map(([key]) => key);
    return new Collection(keys, "keys", call.get(DICT));
  }),
  defineMethod("values", [DICT], (call) => {
    const values = entriesOf(call.get(DICT)).map(([, value]) => value);
    return new Collection(values, "values", call.get(DICT));
  }),
  defineMethod("items", [DICT], (call) => {
    const items = entriesOf(call.get(DICT)).map((entry) => new Sequence(entry));
    return new Collection(items, "items", call.get(DICT));
  }),
  defineMethod("containsKey", [DICT, KEY], (call) =>
    call.get(DICT).entries.has(keyOf(call.get(KEY))),
  ),
  defineMethod("containsValue", [DICT, VALUE], (call) => {
    const wanted = call.get(VALUE);
    return entriesOf(call.get(DICT)).some(([, value]) => equals(value, wanted));
  }),
  defineFunction("#operator_+", [LEFT, RIGHT], (call) =>
    dictionaryOf([...entriesOf(call.get(LEFT)), ...entriesOf(call.get(RIGHT))]),
  ),
  defineFunction("isDict", [ANYTHING], (call) => call.get(ANYTHING) instanceof Dictionary),
  defineBoth("len", [DICT], (call) => BigInt(call.get(DICT).entries.size)),
  defineMethod("delete", [DICT, KEYS], (call) => without(call.get(DICT), call.rest(KEYS))),
  defineMethod("deleteAll", [DICT, KEY_LIST], (call) =>
    without(call.get(DICT), call.items(KEY_LIST)),
  ),
];
