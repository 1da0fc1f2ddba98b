/** Equality, and the order of nulls, numbers, texts and sets. Null is below everything. */
import { compareTexts } from "#lib/python/order.ts";
import { type Definition, defineFunction, type Parameter } from "../definition.ts";
import { equals, keyOf } from "../equality.ts";
import { anything, notNull, number, onlyNull, set, text } from "../parameters.ts";
import type { Collection } from "../values.ts";
import { areItems, isAmongItems } from "./items.ts";

const ANY = [anything("left"), anything("right")] as const;

type Holds<Compared> = (left: Compared, right: Compared) => boolean;

const comparing = <Compared>(
  parameterOf: (name: string) => Parameter<Compared>,
  operators: Readonly<Record<string, Holds<Compared>>>,
): readonly Definition[] => {
  const left = parameterOf("left");
  const right = parameterOf("right");
  return Object.entries(operators).map(([sign, holds]) =>
    defineFunction(`#operator_${sign}`, [left, right], (call) =>
      holds(call.get(left), call.get(right)),
    ),
  );
};

const constant = (
  left: Parameter<unknown>,
  right: Parameter<unknown>,
  results: Readonly<Record<string, boolean>>,
): readonly Definition[] =>
  Object.entries(results).map(([sign, result]) =>
    defineFunction(`#operator_${sign}`, [left, right], () => result),
  );

const contains = (all: Collection, some: Collection): boolean => {
  if (all.items.length < some.items.length) return false;
  if (areItems(all)) return some.items.every((item) => isAmongItems(all, item));
  const keys = new Set(all.items.map(keyOf));
  return some.items.every((item) => keys.has(keyOf(item)));
};

export const COMPARISON: readonly Definition[] = [
  defineFunction("*equal", ANY, (call) => equals(call.get(ANY[0]), call.get(ANY[1]))),
  defineFunction("*not_equal", ANY, (call) => !equals(call.get(ANY[0]), call.get(ANY[1]))),
  ...constant(notNull("left"), onlyNull("right"), {
    "<": false,
    "<=": false,
    ">": true,
    ">=": true,
  }),
  ...constant(onlyNull("left"), notNull("right"), {
    "<": true,
    "<=": true,
    ">": false,
    ">=": false,
  }),
  ...constant(onlyNull("left"), onlyNull("right"), {
    "<": false,
    "<=": true,
    ">": false,
    ">=": true,
  }),
  ...comparing(number, {
    "<": (left, right) => left < right,
    "<=": (left, right) => left <= right,
    ">": (left, right) => left > right,
    ">=": (left, right) => left >= right,
  }),
  ...comparing(text, {
    "<": (left, right) => compareTexts(left, right) < 0,
    "<=": (left, right) => compareTexts(left, right) <= 0,
    ">": (left, right) => compareTexts(left, right) > 0,
    ">=": (left, right) => compareTexts(left, right) >= 0,
  }),
  ...comparing<Collection>(set, {
    "<": (left, right) => left.items.length < right.items.length && contains(right, left),
    "<=": (left, right) => contains(right, left),
    ">": (left, right) => left.items.length > right.items.length && contains(left, right),
    ">=": (left, right) => contains(left, right),
  }),
];
