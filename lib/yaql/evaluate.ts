import type { Context } from "./context.ts";
import { type Argument, type Engine, type Limits, limitMemory } from "./engine.ts";
import { YaqlError } from "./errors.ts";
import { invoke } from "./overloads.ts";
import {
  ABSENT,
  type Absent,
  Constant,
  type Expression,
  Keyword,
  Parenthesized,
  Rule,
  Variable,
} from "./syntax.ts";
import { Pair, type Value } from "./values.ts";

/**
 * Python's own limit is about 140 calls, since its stack has 1,000 frames.
 * @limit calls in calls of an expression of `yaql`
 * @beyond the function has an error
 */
const CALLS_DEEP_MAX = 200;

class Evaluator implements Engine {
  readonly iterationsMax: number;
  readonly memoryBytesMax: number;
  readonly spend: (steps: number) => void;
  readonly random: () => number;
  readonly setsMayHoldLists: boolean;
  readonly regexes: Engine["regexes"] = new Map();
  #deep = 0;

  constructor({ iterationsMax, memoryBytesMax, spend, random, setsMayHoldLists }: Limits) {
    this.iterationsMax = iterationsMax;
    this.memoryBytesMax = memoryBytesMax;
    this.spend = spend;
    this.random = random;
    this.setsMayHoldLists = setsMayHoldLists;
  }

  evaluate(expression: Expression, receiver: Value | Absent, context: Context): Value {
    if (expression instanceof Constant || expression instanceof Keyword) return expression.value;
    if (expression instanceof Variable) {
      const value = context.get(expression.variable);
      limitMemory(this, value);
      return value;
    }
    if (expression instanceof Parenthesized) {
      return this.evaluate(expression.inner, receiver, context);
    }
    if (expression instanceof Rule) {
      const source = this.evaluate(expression.source, receiver, context);
      return new Pair(source, this.evaluate(expression.destination, receiver, context));
    }
    return this.#invoke(expression.callee, context, expression.args, receiver, new Map());
  }

  call(
    name: string,
    context: Context,
    args: readonly Argument[],
    more: { readonly receiver?: Value; readonly named?: ReadonlyMap<string, Argument> } = {},
  ): Value {
    const receiver = more.receiver === undefined ? ABSENT : more.receiver;
    return this.#invoke(name, context, args, receiver, more.named ?? new Map());
  }

  #invoke(
    name: string,
    context: Context,
    args: readonly Argument[],
    receiver: Value | Absent,
    named: ReadonlyMap<string, Argument>,
  ): Value {
    this.#deep += 1;
    if (this.#deep > CALLS_DEEP_MAX) {
      throw new YaqlError("limit", "maximum recursion depth exceeded");
    }
    try {
      return invoke({ engine: this, name, functions: context, context, receiver, args, named });
    } finally {
      this.#deep -= 1;
    }
  }
}

export const engineOf = (limits: Limits): Engine => new Evaluator(limits);
