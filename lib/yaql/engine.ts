import type { Context } from "./definition.ts";
import { YaqlError } from "./errors.ts";
import type { Absent, Expression } from "./syntax.ts";
import {
  bitsOf,
  Collection,
  Dictionary,
  isMany,
  iterate,
  type Many,
  type Regex,
  Sequence,
  Stream,
  type Value,
  weightOf,
} from "./values.ts";

export type Argument = Value | Expression | Absent;

export interface Limits {
  readonly iterationsMax: number;
  readonly memoryBytesMax: number;
  /** Counts work. Throws if the expression does too much. */
  readonly spend: (steps: number) => void;
  readonly random: () => number;
  /** Whether a set in the result may contain lists. Heat builds Python sets, which must not. */
  readonly setsMayHoldLists: boolean;
}

export interface Engine extends Limits {
  /** Compiled patterns, so that a pattern is not compiled again for each of many items. */
  readonly regexes: Map<string, Regex>;
  evaluate(expression: Expression, receiver: Value | Absent, context: Context): Value;
  call(
    name: string,
    context: Context,
    args: readonly Argument[],
    more?: { readonly receiver?: Value; readonly named?: ReadonlyMap<string, Argument> },
  ): Value;
}

const tooLong = (max: number): YaqlError =>
  new YaqlError("limit", `Collection length exceeds ${max} elements`);

export const limitBytes = (
  { memoryBytesMax }: Pick<Limits, "memoryBytesMax">,
  ...sizes: readonly (readonly [number, number])[]
): void => {
  let bytes = 0;
  for (const [count, size] of sizes) {
    bytes += count * size;
    if (bytes > memoryBytesMax) {
      throw new YaqlError("limit", "Expression consumed too much memory");
    }
  }
};

/** The weight that costs one step, each time that a call receives or returns the value. */
const WEIGHT_A_STEP = 32;

export const limitMemory = (limits: Limits, value: Value): void => {
  limits.spend(Math.floor(weightOf(value) / WEIGHT_A_STEP));
  limitBytes(limits, [1, bytesOf(value)]);
};

function* counted(limits: Limits, values: Iterable<Value>): Generator<Value> {
  let read = 0;
  for (const value of values) {
    if (read >= limits.iterationsMax) throw tooLong(limits.iterationsMax);
    read += 1;
    limits.spend(1);
    yield value;
  }
}

/** Throws for a longer collection, and lets a lazy one throw when it is read so far. */
export const limited = (limits: Limits, many: Many): Many => {
  const isCounted = !(many instanceof Collection && many.kind === "values");
  if (isCounted && (many instanceof Sequence || many instanceof Collection)) {
    if (many.items.length > limits.iterationsMax) throw tooLong(limits.iterationsMax);
    limits.spend(many.items.length);
    return many;
  }
  return new Stream(counted(limits, iterate(many)));
};

export const membersOf = (limits: Limits, value: Value): Iterable<Value> | null => {
  if (isMany(value)) return iterate(limited(limits, value));
  if (!(value instanceof Dictionary)) return null;
  if (value.entries.size > limits.iterationsMax) throw tooLong(limits.iterationsMax);
  return [...value.entries.values()].map((entry) => new Sequence(entry));
};

const OBJECT_BYTES = 48;
const FLOAT_BYTES = 24;
const NULL_BYTES = 16;
const POINTER_BYTES = 8;
const INTEGER_DIGIT_BITS = 30;

const textBytes = (text: string): number => {
  if (!/[^\p{ASCII}]/u.test(text)) return 49 + text.length;
  if (!/[\u0100-\uffff]/.test(text)) return 73 + text.length;
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return 74 + 2 * text.length;
  return 76 + 4 * Array.from(text).length;
};

const ONE_DIGIT_MAX = 2n ** BigInt(INTEGER_DIGIT_BITS) - 1n;

const integerBytes = (value: bigint): number => {
  if (value > 0n && value <= ONE_DIGIT_MAX) return 28;
  return 24 + 4 * Math.ceil(bitsOf(value) / INTEGER_DIGIT_BITS);
};

/** A set's table grows fourfold when it is three fifths full. */
const setBytes = (size: number): number => {
  let slots = 8;
  while (size * 5 >= (slots - 1) * 3) slots *= 4;
  return slots === 8 ? 216 : 216 + slots * 16;
};

/** A dictionary's table doubles when it is two thirds full. */
const dictionaryBytes = (size: number): number => {
  if (size === 0) return 64;
  let slots = 8;
  while (size > Math.floor((slots * 2) / 3)) slots *= 2;
  const indexBytes = slots > 128 ? 2 : 1;
  return 96 + slots * indexBytes + Math.floor((slots * 2) / 3) * 16;
};

/**
 * The size of a value in CPython 3.11, as sys.getsizeof reports it. yaql's quota counts these
 * bytes, so the same expressions are refused as in Heat. A collection counts without its items.
 */
export const sequenceBytes = (length: number, kind: "tuple" | "list"): number =>
  (kind === "tuple" ? 40 : 56) + POINTER_BYTES * length;

export const bytesOf = (value: Value): number => {
  if (value === null) return NULL_BYTES;
  if (typeof value === "boolean") return value ? 28 : 24;
  if (typeof value === "bigint") return integerBytes(value);
  if (typeof value === "number") return FLOAT_BYTES;
  if (typeof value === "string") return textBytes(value);
  if (value instanceof Sequence) return sequenceBytes(value.items.length, value.kind);
  // A frozen dictionary is an object that refers to another dictionary.
  if (value instanceof Dictionary && !value.isFrozen) return dictionaryBytes(value.entries.size);
  if (value instanceof Collection && value.kind === "set") return setBytes(value.items.length);
  return OBJECT_BYTES;
};
