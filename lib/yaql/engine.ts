/** What evaluates, and its limits. */
import type { Context } from "./context.ts";
import { YaqlError } from "./errors.ts";
import { bytesOf } from "./memory.ts";
import type { Absent, Expression } from "./syntax.ts";
import {
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

/** A value, or an expression that the called function evaluates itself. */
export type Argument = Value | Expression | Absent;

export interface Limits {
  /** Items that one collection may have, and that may be read from a lazy one. */
  readonly iterationsMax: number;
  /** Bytes of one value, as Python counts them. */
  readonly memoryBytesMax: number;
  /** Counts work. It throws if the expression does too much. */
  readonly spend: (steps: number) => void;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Whether a set in the result may hold lists. A set of Python, which Heat makes, may not. */
  readonly setsMayHoldLists: boolean;
}

export interface Engine extends Limits {
  /** By pattern and options. One that is compiled for each of many items would take long. */
  readonly regexes: Map<string, Regex>;
  evaluate(expression: Expression, receiver: Value | Absent, context: Context): Value;
  /** Calls a function by its name, or a method if there is a receiver. */
  call(
    name: string,
    context: Context,
    args: readonly Argument[],
    more?: { readonly receiver?: Value; readonly named?: ReadonlyMap<string, Argument> },
  ): Value;
}

const tooLong = (max: number): YaqlError =>
  new YaqlError("limit", `Collection length exceeds ${max} elements`);

/** Each size is a count and the bytes of one. */
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

/** A value takes a step for this much of its weight, each time that a call takes or gives it. */
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

/** The same collection if it is short, or a stream that fails where the limit is. */
export const limited = (limits: Limits, many: Many): Many => {
  const isCounted = !(many instanceof Collection && many.kind === "values");
  if (isCounted && (many instanceof Sequence || many instanceof Collection)) {
    if (many.items.length > limits.iterationsMax) throw tooLong(limits.iterationsMax);
    limits.spend(many.items.length);
    return many;
  }
  return new Stream(counted(limits, iterate(many)));
};

/** The members of a collection for the result, or null for another value. */
export const membersOf = (limits: Limits, value: Value): Iterable<Value> | null => {
  if (isMany(value)) return iterate(limited(limits, value));
  if (!(value instanceof Dictionary)) return null;
  if (value.entries.size > limits.iterationsMax) throw tooLong(limits.iterationsMax);
  return [...value.entries.values()].map((entry) => new Sequence(entry));
};
