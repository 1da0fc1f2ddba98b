import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { YaqlError } from "#lib/yaql/errors.ts";
import { evaluate, parse } from "#lib/yaql/yaql.ts";
import { rememberingFaults } from "../faults.ts";
import { member } from "../json-shape.ts";
import { pythonRepr } from "../python-text.ts";
import { ComputedValueError } from "../secrets.ts";
import {
  ANY,
  argument,
  type Evaluation,
  type IsCall,
  keys,
  optional,
  type TemplateFunction,
  takesWritten,
  textLike,
} from "./function.ts";
import { jsonBytes, VALUE_BYTES_MAX } from "./value-budget.ts";

const USAGE = `"yaql" syntax should be yaql:
              expression: $.data.var1.sum()
              data:
                var1: [3, 2, 1]`;
const NOT_TEXT = 'The "expression" argument to yaql must contain a string.';

/**
 * Heat's defaults, limit_iterators and memory_quota.
 * @limit items that an expression of `yaql` may take from one list, as in Heat
 * @beyond the function has an error
 */
const ITERATIONS_MAX = 200;
/**
 * @limit memory of an expression of `yaql`, counted as in Heat
 * @beyond the function has an error
 */
const MEMORY_BYTES_MAX = 10_000;
/** A step is a call or an item that is read. A join of two lists of 200 items takes 41,000. */
const STEPS_MAX = 50_000;
const STEP_CHARACTERS = 1_024;
/**
 * @limit expression of `yaql`
 * @beyond the expression is refused
 */
const EXPRESSION_CHARACTERS_MAX = 65_536;

const READ_CHARACTERS = 128;

const parsed = (expression: string) => {
  if (expression.length > EXPRESSION_CHARACTERS_MAX) {
    throw new YaqlError("limit", `longer than ${EXPRESSION_CHARACTERS_MAX} characters`);
  }
  return parse(expression);
};

const refuse = (args: Json, isCall: IsCall): string | null => {
  if (!isJsonObject(args) || isCall(args)) return 'Arguments to "yaql" must be a map.';
  const expression = member(args, "expression");
  const isUnknown = Object.keys(args).some((key) => key !== "expression" && key !== "data");
  // Heat raises a KeyError here, and Python shows its text in quotes.
  return expression === undefined || isUnknown ? pythonRepr(USAGE) : null;
};

const refuseLater = (args: Json, isCall: IsCall): string | null => {
  const expression = isJsonObject(args) ? (member(args, "expression") ?? null) : null;
  if (isCall(expression)) return null;
  return typeof expression === "string" ? faultIn(expression) : NOT_TEXT;
};

const faultIn = rememberingFaults((expression) => {
  try {
    parsed(expression);
    return "";
  } catch (failure) {
    if (failure instanceof YaqlError) return `Bad expression ${failure.message}.`;
    throw failure;
  }
});

const stepCounter = ({ budget }: Evaluation): ((steps: number) => void) => {
  let taken = 0;
  return (steps) => {
    taken += steps;
    budget.search("yaql", steps * STEP_CHARACTERS);
    if (taken <= STEPS_MAX) return;
    throw new YaqlError("limit", `Expression takes more than ${STEPS_MAX} steps`);
  };
};

/**
 * A stack that resolves the expression again must get the same numbers. So they follow from its id
 * and the expression (mulberry32), and must not be used as secrets.
 */
const randomOf = (seedText: string): (() => number) => {
  let state = 0;
  for (const character of seedText)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619) + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const resultOf = (expression: string, data: Json, evaluation: Evaluation): Json => {
  const limits = {
    iterationsMax: ITERATIONS_MAX,
    memoryBytesMax: MEMORY_BYTES_MAX,
    spend: stepCounter(evaluation),
    random: randomOf(`${evaluation.pseudo["OS::stack_id"]} ${expression}`),
    setsMayHoldLists: false,
  };
  try {
    return evaluate(parseAgain(expression), { data }, limits);
  } catch (failure) {
    if (failure instanceof YaqlError) throw failed(failure.message);
    throw failure;
  }
};

/** The message shows values that the expression has computed, which may be secret. */
const failed = (message: string): ComputedValueError =>
  new ComputedValueError("StackValidationFailed", 400, message);

const parseAgain = (expression: string) => {
  try {
    return parsed(expression);
  } catch (failure) {
    if (!(failure instanceof YaqlError)) throw failure;
    throw failed(`Bad expression ${failure.message}.`);
  }
};

export const yaql: TemplateFunction = {
  name: "yaql",
  description: "The result of a yaql expression.",
  takes: takesWritten(
    keys(
      argument("expression", "what is computed", textLike("$.data")),
      optional(argument("data", "what the expression finds as `$.data`", ANY)),
    ),
  ),
  refuse,
  refuseLater,
  evaluate: (args, evaluation) => {
    const given = isJsonObject(args) ? args : {};
    const expression = evaluation.resolve(member(given, "expression") ?? null);
    if (typeof expression !== "string") throw validationFailed(NOT_TEXT);
    const written = member(given, "data");
    const data = evaluation.resolve(written === undefined ? {} : written);
    const characters = READ_CHARACTERS * expression.length + jsonBytes(data, VALUE_BYTES_MAX);
    evaluation.budget.search("yaql", characters);
    return resultOf(expression, data, evaluation);
  },
};

export const yaqlInConditions: TemplateFunction = { ...yaql, mayStandInCondition: true };
