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
