import { type Definition, defineFunction } from "../definition.ts";
import { typeError, valueError } from "../errors.ts";
import {
  calculate,
  power,
  powerModulo,
  round,
  shiftLeft,
  shiftRight,
  toFloatValue,
  toInteger,
} from "../numbers.ts";
import { anything, integer, nullable, number, optional } from "../parameters.ts";
import { isTrue, typeOf, type Value } from "../values.ts";

const LEFT = number("left");
const RIGHT = number("right");
const OPERAND = number("op");
const VALUE = anything("value");
const LEFT_BITS = integer("left");
const RIGHT_BITS = integer("right");
const BITS = integer("value");
const COUNT = integer("bitsNumber");
const INVERTED = integer("arg");
const A = anything("a");
const B = anything("b");
const BASE = number("a");
const POWER = number("b");
const MODULUS = optional(nullable(number("c")));
const NUMBER = number("num");
const ROUNDED = number("number");
const DIGITS = optional(integer("ndigits"));
const FROM = anything("from");
const TO = anything("to");
const HEX = nullable(number("num"));

const arithmetic = (["+", "-", "*", "/", "mod"] as const).map((sign) =>
  defineFunction(`#operator_${sign}`, [LEFT, RIGHT], (call) =>
    calculate(sign, call.get(LEFT), call.get(RIGHT)),
  ),
);

const bitwise = (name: string, combine: (left: bigint, right: bigint) => bigint): Definition =>
  defineFunction(name, [LEFT_BITS, RIGHT_BITS], (call) =>
    combine(call.get(LEFT_BITS), call.get(RIGHT_BITS)),
  );

const isNumber = (value: Value): boolean => typeof value === "bigint" || typeof value === "number";

const hexadecimal = (value: Value): string => {
  if (typeof value !== "bigint") {
    throw typeError(`'${typeOf(value)}' object cannot be interpreted as an integer`);
  }
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
};

const randomBetween = (from: Value, to: Value, random: () => number): bigint => {
  const least = toInteger(from);
  const most = toInteger(to);
  if (most < least)
    throw valueError(`empty range for randrange() (${least}, ${most + 1n}, ${most + 1n - least})`);
  return least + BigInt(Math.floor(random() * Number(most - least + 1n)));
};

export const MATH: readonly Definition[] = [
  ...arithmetic,
  defineFunction("#unary_operator_+", [OPERAND], (call) => call.get(OPERAND)),
  defineFunction("#unary_operator_-", [OPERAND], (call) => -call.get(OPERAND)),
  defineFunction("abs", [OPERAND], (call) => {
    const value = call.get(OPERAND);
    if (typeof value === "number") return Math.abs(value);
    return value < 0n ? -value : value;
  }),
  defineFunction("int", [VALUE], (call) => toInteger(call.get(VALUE) ?? 0n)),
  defineFunction("float", [VALUE], (call) => toFloatValue(call.get(VALUE) ?? 0n)),
  defineFunction("random", [], (call) => call.engine.random()),
  defineFunction("random", [FROM, TO], (call) =>
    randomBetween(call.get(FROM), call.get(TO), call.engine.random),
  ),
  bitwise("bitwiseAnd", (left, right) => left & right),
  bitwise("bitwiseOr", (left, right) => left | right),
  bitwise("bitwiseXor", (left, right) => left ^ right),
  defineFunction("bitwiseNot", [INVERTED], (call) => ~call.get(INVERTED)),
  defineFunction("shiftBitsRight", [BITS, COUNT], (call) =>
    shiftRight(call.get(BITS), call.get(COUNT)),
  ),
  defineFunction("shiftBitsLeft", [BITS, COUNT], (call) =>
    shiftLeft(call.get(BITS), call.get(COUNT)),
  ),
  defineFunction("max", [A, B], (call) => {
    const [a, b] = [call.get(A), call.get(B)];
    return isTrue(call.call("#operator_>", b, a)) ? b : a;
  }),
  defineFunction("min", [A, B], (call) => {
    const [a, b] = [call.get(A), call.get(B)];
    return isTrue(call.call("#operator_>", b, a)) ? a : b;
  }),
  defineFunction("pow", [BASE, POWER, MODULUS], (call) => {
    const modulus = call.get(MODULUS) ?? null;
    const [base, exponent] = [call.get(BASE), call.get(POWER)];
    if (modulus === null) return power(base, exponent);
    return powerModulo(base, exponent, modulus, call.engine.spend);
  }),
  defineFunction("sign", [NUMBER], (call) => {
    const value = call.get(NUMBER);
    if (value > 0) return 1n;
    return value < 0 ? -1n : 0n;
  }),
  defineFunction("round", [ROUNDED, DIGITS], (call) => {
    return round(call.get(ROUNDED), call.get(DIGITS) ?? 0n);
  }),
  defineFunction("isInteger", [VALUE], (call) => typeof call.get(VALUE) === "bigint"),
  defineFunction("isNumber", [VALUE], (call) => isNumber(call.get(VALUE))),
  defineFunction("hex", [HEX], (call) => hexadecimal(call.get(HEX))),
];
