/** Python's numbers: a bigint is an int and a number is a float. */

import { DIGITS_MAX } from "#lib/json.ts";
import { decimalText, integerText, notFinite } from "#lib/python/read-text.ts";
import { reprText } from "#lib/python/show-text.ts";
import { typeError, valueError, YaqlError } from "./errors.ts";
import { bitsOf, typeOf, type Value } from "./values.ts";

export type Numeric = bigint | number;

const divisionByZero = (what: string): YaqlError => new YaqlError("zero", what);

const floorDivision = (left: bigint, right: bigint): bigint => {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
};

const toFloat = (value: Numeric): number => {
  const float = Number(value);
  if (typeof value === "number" || Number.isFinite(float)) return float;
  throw new YaqlError("value", "int too large to convert to float");
};

type Operation = "+" | "-" | "*" | "/" | "mod";

const onIntegers = (operation: Operation, left: bigint, right: bigint): bigint => {
  if (operation === "+") return left + right;
  if (operation === "-") return left - right;
  if (operation === "*") return left * right;
  if (right === 0n) {
    throw divisionByZero(
      operation === "/" ? "integer division or modulo by zero" : "integer modulo by zero",
    );
  }
  const quotient = floorDivision(left, right);
  return operation === "/" ? quotient : left - quotient * right;
};

const onFloats = (operation: Operation, left: number, right: number): number => {
  if (operation === "+") return left + right;
  if (operation === "-") return left - right;
  if (operation === "*") return left * right;
  if (right === 0) {
    throw divisionByZero(operation === "/" ? "float division by zero" : "float modulo");
  }
  if (operation === "/") return left / right;
  const rest = left % right;
  // The result has the sign of the divisor.
  if (rest !== 0) return rest < 0 === right < 0 ? rest : rest + right;
  return right < 0 ? -0 : 0;
};

export const calculate = (operation: Operation, left: Numeric, right: Numeric): Numeric =>
  typeof left === "bigint" && typeof right === "bigint"
    ? onIntegers(operation, left, right)
    : onFloats(operation, toFloat(left), toFloat(right));

const integerOfFloat = (value: number): bigint => {
  if (Number.isFinite(value)) return BigInt(Math.trunc(value));
  const what = Number.isNaN(value) ? "NaN" : "infinity";
  throw valueError(`cannot convert float ${what} to integer`);
};

const integerOfDigits = (digits: string): bigint => {
  const count = digits.replace(/^[+-]/, "").length;
  if (count <= DIGITS_MAX) return BigInt(digits.replace(/^\+/, ""));
  const limit = `(${DIGITS_MAX} digits) for integer string conversion: value has ${count} digits`;
  throw valueError(
    `Exceeds the limit ${limit}; use sys.set_int_max_str_digits() to increase the limit`,
  );
};

/** Python's int(). */
export const toInteger = (value: Value): bigint => {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return integerOfFloat(value);
  if (typeof value === "boolean") return BigInt(value);
  if (typeof value !== "string") {
    const takes = "a string, a bytes-like object or a real number";
    throw typeError(`int() argument must be ${takes}, not '${typeOf(value)}'`);
  }
  const digits = integerText(value);
  if (digits !== null) return integerOfDigits(digits);
  throw valueError(`invalid literal for int() with base 10: ${reprText(value)}`);
};

const NOT_FINITE = { inf: Infinity, "-inf": -Infinity, nan: Number.NaN } as const;

/** Python's float(). */
export const toFloatValue = (value: Value): number => {
  if (typeof value === "bigint" || typeof value === "number") return toFloat(value);
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") {
    throw typeError(`float() argument must be a string or a real number, not '${typeOf(value)}'`);
  }
  const digits = decimalText(value);
  if (digits !== null) return Number(digits);
  const special = notFinite(value);
  if (special !== null) return NOT_FINITE[special];
  throw valueError(`could not convert string to float: ${reprText(value)}`);
};

/** A longer integer would exceed the memory quota of every caller. */
const BITS_MAX = 80_000;

const tooLarge = (): YaqlError => new YaqlError("limit", "Expression consumed too much memory");

export const shiftLeft = (value: bigint, bits: bigint): bigint => {
  if (bits < 0n) throw valueError("negative shift count");
  if (value === 0n) return 0n;
  if (bits + BigInt(bitsOf(value)) > BigInt(BITS_MAX)) throw tooLarge();
  return value << bits;
};

export const shiftRight = (value: bigint, bits: bigint): bigint => {
  if (bits < 0n) throw valueError("negative shift count");
  return bits > BigInt(BITS_MAX) ? (value < 0n ? -1n : 0n) : value >> bits;
};

const integerPower = (base: bigint, exponent: bigint): bigint => {
  if (base === 0n || base === 1n || base === -1n)
    return base ** (exponent === 0n ? 0n : 2n - (exponent % 2n));
  if (BigInt(bitsOf(base)) * exponent > BigInt(BITS_MAX) * 4n) throw tooLarge();
  return base ** exponent;
};

const floatPower = (base: number, exponent: number): number => {
  if (base === 0 && exponent < 0) {
    throw divisionByZero("0.0 cannot be raised to a negative power");
  }
  if (
    base < 0 &&
    Number.isFinite(base) &&
    Number.isFinite(exponent) &&
    !Number.isInteger(exponent)
  ) {
    throw new YaqlError("unsupported", "complex numbers are not supported");
  }
  // JavaScript gives NaN here, and Python 1.0.
  if (base === 1 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)))
    return 1;
  const result = base ** exponent;
  if (Number.isFinite(result) || !Number.isFinite(base) || !Number.isFinite(exponent))
    return result;
  throw new YaqlError("value", "(34, 'Numerical result out of range')");
};

export const power = (base: Numeric, exponent: Numeric): Numeric =>
  typeof base === "bigint" && typeof exponent === "bigint" && exponent >= 0n
    ? integerPower(base, exponent)
    : floatPower(toFloat(base), toFloat(exponent));

const modulo = (value: bigint, by: bigint): bigint => value - floorDivision(value, by) * by;

const inverse = (base: bigint, by: bigint): bigint => {
  const size = by < 0n ? -by : by;
  let [dividend, divisor] = [size, modulo(base, size)];
  let [before, factor] = [0n, 1n];
  while (divisor !== 0n) {
    const quotient = dividend / divisor;
    [dividend, divisor] = [divisor, dividend - quotient * divisor];
    [before, factor] = [factor, before - quotient * factor];
  }
  if (dividend === 1n) return modulo(before, by);
  throw valueError("base is not invertible for the given modulus");
};

const WORD_BITS = 64;
const SQUARES_OF_WORDS_A_STEP = 128;

/** Each bit of the exponent squares and divides a number as long as the modulus. */
const powerSteps = (exponent: bigint, by: bigint): number => {
  const words = 1 + bitsOf(by) / WORD_BITS;
  const rounds = bitsOf(exponent) + (exponent < 0n ? bitsOf(by) : 0);
  return Math.floor((rounds * words ** 2) / SQUARES_OF_WORDS_A_STEP);
};

/** Python's pow() with a modulus. Counts the work before it begins. */
export const powerModulo = (
  base: Numeric,
  exponent: Numeric,
  by: Numeric,
  spend: (steps: number) => void,
): bigint => {
  if (typeof base !== "bigint" || typeof exponent !== "bigint" || typeof by !== "bigint") {
    throw typeError("pow() 3rd argument not allowed unless all arguments are integers");
  }
  if (by === 0n) throw valueError("pow() 3rd argument cannot be 0");
  spend(powerSteps(exponent, by));
  let result = modulo(1n, by);
  let square = exponent < 0n ? inverse(base, by) : modulo(base, by);
  for (let rest = exponent < 0n ? -exponent : exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = modulo(result * square, by);
    square = modulo(square * square, by);
  }
  return result;
};

/** Rounds to the nearest multiple of the unit. A value in the middle becomes the even multiple. */
const roundTo = (value: bigint, unit: bigint): bigint => {
  const below = floorDivision(value, unit);
  const rest = value - below * unit;
  const isUp = rest * 2n > unit || (rest * 2n === unit && below % 2n !== 0n);
  return (isUp ? below + 1n : below) * unit;
};

const ROUNDED_DIGITS_MAX = 400n;

const roundFloat = (value: number, digits: bigint): number => {
  if (!Number.isFinite(value) || digits > ROUNDED_DIGITS_MAX) return value;
  if (digits < -ROUNDED_DIGITS_MAX) return value < 0 || Object.is(value, -0) ? -0 : 0;
  // The float is exactly `whole` divided by a power of two.
  let bits = 0n;
  let whole = value;
  for (; !Number.isInteger(whole); whole *= 2) bits += 1n;
  const numerator = BigInt(whole) * (digits > 0n ? 10n ** digits : 1n);
  const unit = (1n << bits) * (digits < 0n ? 10n ** -digits : 1n);
  const rounded = roundTo(numerator, unit) / (1n << bits);
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative && rounded === 0n ? "-" : "";
  return Number(`${sign}${rounded}e${-(digits > 0n ? digits : 0n)}`);
};

export const round = (value: Numeric, digits: bigint): Numeric => {
  if (typeof value === "number") return roundFloat(value, digits);
  if (digits >= 0n) return value;
  return digits < -BigInt(String(value).length) ? 0n : roundTo(value, 10n ** -digits);
};
