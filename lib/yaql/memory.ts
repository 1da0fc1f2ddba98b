/**
 * The size of a value in CPython 3.11, as sys.getsizeof reports it. yaql's quota counts these
 * bytes, so the same expressions are refused as in Heat. A collection counts without its items.
 */
import { bitsOf } from "./integer-bits.ts";
import { Collection, Dictionary, Sequence, type Value } from "./values.ts";

const OBJECT_BYTES = 48;
const FLOAT_BYTES = 24;
const NULL_BYTES = 16;
const POINTER_BYTES = 8;
const INTEGER_DIGIT_BITS = 30;

const textBytes = (text: string): number => {
  if (!/[^\p{ASCII}]/u.test(text)) return 49 + text.length;
  if (!/[\u0100-\uffff]/.test(text)) return 73 + text.length;
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return 74 + 2 * text.length;
  return 76 + 4 * Array.from(text).length;
};

const ONE_DIGIT_MAX = 2n ** BigInt(INTEGER_DIGIT_BITS) - 1n;

const integerBytes = (value: bigint): number => {
  if (value > 0n && value <= ONE_DIGIT_MAX) return 28;
  return 24 + 4 * Math.ceil(bitsOf(value) / INTEGER_DIGIT_BITS);
};

/** A set's table grows fourfold when it is three fifths full. */
const setBytes = (size: number): number => {
  let slots = 8;
  while (size * 5 >= (slots - 1) * 3) slots *= 4;
  return slots === 8 ? 216 : 216 + slots * 16;
};

/** A dictionary's table doubles when it is two thirds full. */
const dictionaryBytes = (size: number): number => {
  if (size === 0) return 64;
  let slots = 8;
  while (size > Math.floor((slots * 2) / 3)) slots *= 2;
  const indexBytes = slots > 128 ? 2 : 1;
  return 96 + slots * indexBytes + Math.floor((slots * 2) / 3) * 16;
};

export const sequenceBytes = (length: number, kind: "tuple" | "list"): number =>
  (kind === "tuple" ? 40 : 56) + POINTER_BYTES * length;

export const bytesOf = (value: Value): number => {
  if (value === null) return NULL_BYTES;
  if (typeof value === "boolean") return value ? 28 : 24;
  if (typeof value === "bigint") return integerBytes(value);
  if (typeof value === "number") return FLOAT_BYTES;
  if (typeof value === "string") return textBytes(value);
  if (value instanceof Sequence) return sequenceBytes(value.items.length, value.kind);
  // A frozen dictionary is an object that refers to another dictionary.
  if (value instanceof Dictionary && !value.isFrozen) return dictionaryBytes(value.entries.size);
  if (value instanceof Collection && value.kind === "set") return setBytes(value.items.length);
  return OBJECT_BYTES;
};
