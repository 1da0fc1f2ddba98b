import {
  type Definition,
  defineFunction,
  defineFunctionOfRules,
  defineMethod,
} from "../definition.ts";
import { anything, integer, type Lambda, lambda, rest, rule } from "../parameters.ts";
import { isTrue, Stream, type Value } from "../values.ts";

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
  defineFunction("selectAllCases", [CASES], (call) => new Stream(trueCases(call.rest(CASES)))),
  defineFunction("examine", [CASES], (call) => new Stream(examined(call.rest(CASES)))),
  defineMethod("switchCase", [CASE, CASES], (call) => chosenCase(call.get(CASE), call.rest(CASES))),
  defineFunction("coalesce", [CASES], (call) => {
    for (const evaluate of call.rest(CASES)) {
      const value = evaluate();
      if (value !== null) return value;
    }
    return null;
  }),
];
