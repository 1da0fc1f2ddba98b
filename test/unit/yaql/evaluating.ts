import type { Json } from "#lib/json.ts";
import { YaqlError } from "#lib/yaql/errors.ts";
import { evaluate, parse } from "#lib/yaql/yaql.ts";

const STEPS_MAX = 10_000;

export const stepsAndValueOf = (
  expression: string,
  data: Json = null,
): { readonly steps: number; readonly value: Json } => {
  let steps = 0;
  const value = evaluate(parse(expression), data, {
    iterationsMax: 200,
    memoryBytesMax: 10_000,
    spend: (count) => {
      steps += count;
      if (steps > STEPS_MAX) throw new YaqlError("limit", "too many steps");
    },
    random: () => 0.5,
    setsMayHoldLists: false,
  });
  return { steps, value };
};

export const run = (expression: string, data: Json = null): Json =>
  stepsAndValueOf(expression, data).value;

export const failureOf = (expression: string, data: Json = null): string => {
  try {
    run(expression, data);
    return "no failure";
  } catch (failure) {
    if (failure instanceof YaqlError) return failure.message;
    throw failure;
  }
};
