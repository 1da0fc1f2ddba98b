/** Equality, and the order of nulls, numbers, texts and sets. Null is below everything. */
import { compareTexts } from "#lib/python/show-text.ts";
import {
  type Call,
  type Definition,
  defineFunction,
  defineFunctionOfRules,
  defineMethod,
  type Parameter,
} from "../definition.ts";
import { equals, keyOf } from "../equality.ts";
import {
  anything,
  integer,
  type Lambda,
  lambda,
  notNull,
  number,
  onlyNull,
  rest,
  rule,
  set,
  text,
} from "../parameters.ts";
import { type Collection, isTrue, type Value } from "../values.ts";
import { areItems, isAmongItems } from "./lists.ts";

const ANY = [anything("left"), anything("right")] as const;
const TEXTS = [text("left"), text("right")] as const;

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

const SIGNS: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

const ordered = (
  left: Parameter<unknown>,
  right: Parameter<unknown>,
  orderOf: (call: Call) => number,
): readonly Definition[] =>
  Object.entries(SIGNS).map(([sign, holds]) =>
    defineFunction(`#operator_${sign}`, [left, right], (call) => holds(orderOf(call))),
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
  ...ordered(notNull("left"), onlyNull("right"), () => 1),
  ...ordered(onlyNull("left"), notNull("right"), () => -1),
  ...ordered(onlyNull("left"), onlyNull("right"), () => 0),
  ...comparing(number, {
    "<": (left, right) => left < right,
    "<=": (left, right) => left <= right,
    ">": (left, right) => left > right,
    ">=": (left, right) => left >= right,
  }),
  ...ordered(...TEXTS, (call) => compareTexts(call.get(TEXTS[0]), call.get(TEXTS[1]))),
  ...comparing<Collection>(set, {
    "<": (left, right) => left.items.length < right.items.length && contains(right, left),
    "<=": (left, right) => contains(right, left),
    ">": (left, right) => left.items.length > right.items.length && contains(left, right),
    ">=": (left, right) => contains(left, right),
  }),
];

const LEFT = lambda("left");
const RIGHT = lambda("right");
const VALUE = anything("value");
const CASES = rest(lambda("args"));
const RULES = rest(rule("args"));
const CASE = integer("case");

function* trueCases(cases: readonly Lambda[]): Generator<Value> {
  for (const [index, holds] of cases.entries()) if (isTrue(holds())) yield BigInt(index);
}

function* examined(cases: readonly Lambda[]): Generator<Value> {
  for (const holds of cases) yield isTrue(holds());
}

const chosenCase = (index: bigint, cases: readonly Lambda[]): Value => {
  const chosen = index >= 0n ? cases[Number(index)] : undefined;
  return (chosen ?? cases.at(-1))?.() ?? null;
};

export const BRANCHING: readonly Definition[] = [
  defineFunction("#operator_and", [LEFT, RIGHT], (call) => {
    const left = call.get(LEFT)();
    return isTrue(left) ? call.get(RIGHT)() : left;
  }),
  defineFunction("#operator_or", [LEFT, RIGHT], (call) => {
    const left = call.get(LEFT)();
    return isTrue(left) ? left : call.get(RIGHT)();
  }),
  defineFunction("#unary_operator_not", [VALUE], (call) => !isTrue(call.get(VALUE))),
  defineFunction("bool", [VALUE], (call) => isTrue(call.get(VALUE))),
  defineFunction("isBoolean", [VALUE], (call) => typeof call.get(VALUE) === "boolean"),
  defineFunctionOfRules("switch", [RULES], (call) => {
    const chosen = call.rest(RULES).find(({ source }) => isTrue(source()));
    return chosen?.destination() ?? null;
  }),
  defineFunction("selectCase", [CASES], (call) => {
    const cases = call.rest(CASES);
    const index = cases.findIndex((holds) => isTrue(holds()));
    return BigInt(index < 0 ? cases.length : index);
  }),
  defineFunction("selectAllCases", [CASES], (call) => trueCases(call.rest(CASES))),
  defineFunction("examine", [CASES], (call) => examined(call.rest(CASES))),
  defineMethod("switchCase", [CASE, CASES], (call) => chosenCase(call.get(CASE), call.rest(CASES))),
  defineFunction("coalesce", [CASES], (call) => {
    for (const evaluate of call.rest(CASES)) {
      const value = evaluate();
      if (value !== null) return value;
    }
    return null;
  }),
];
