/** What the digests share: padding, words and the constants that come from prime numbers. */

export const rotateLeft = (word: number, bits: number): number =>
  (word << bits) | (word >>> (32 - bits));

const MASK_64 = (1n << 64n) - 1n;
export const word64 = (value: bigint): bigint => value & MASK_64;
export const rotateRight64 = (word: bigint, bits: bigint): bigint =>
  (word >> bits) | word64(word << (64n - bits));

/** A bit of one, zeros, and the length in bits: the padding of MD5 and all that follow it. */
export const padded = (
  bytes: Uint8Array,
  blockBytes: number,
  littleEndian: boolean,
): DataView<ArrayBuffer> => {
  const lengthBytes = blockBytes / 8;
  const blocks = Math.ceil((bytes.length + 1 + lengthBytes) / blockBytes);
  const all = new Uint8Array(blocks * blockBytes);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  const bits = BigInt(bytes.length) * 8n;
  view.setBigUint64(all.length - 8, bits, littleEndian);
  return view;
};

const hexOf = (word: number | bigint, bytes: number): string => {
  const unsigned = typeof word === "number" ? BigInt(word >>> 0) : word;
  return unsigned.toString(16).padStart(bytes * 2, "0");
};

const reversed = (hex: string): string => (hex.match(/../g) ?? []).reverse().join("");

export const hexOfWords = (
  words: readonly (number | bigint)[],
  wordBytes: number,
  littleEndian: boolean,
): string => {
  const texts = words.map((word) => hexOf(word, wordBytes));
  return (littleEndian ? texts.map(reversed) : texts).join("");
};

const primes = (count: number): readonly bigint[] => {
  const found: bigint[] = [];
  for (let number = 2n; found.length < count; number += 1n) {
    if (found.every((prime) => number % prime !== 0n)) found.push(number);
  }
  return found;
};

/** The largest number whose power is not larger. */
const root = (value: bigint, power: bigint): bigint => {
  let low = 0n;
  let high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** power <= value) low = middle;
    else high = middle;
  }
  return low;
};

/** 64 bits of the fractions of the roots of the first primes, as SHA-2 defines its constants. */
const fractions = (count: number, power: bigint): readonly bigint[] =>
  primes(count).map((prime) => word64(root(prime << (64n * power), power)));

export const SQUARE_ROOTS = fractions(16, 2n);
export const CUBE_ROOTS = fractions(80, 3n);

export const upperHalf = (word: bigint): number => Number(word >> 32n) | 0;
export const lowerHalf = (word: bigint): number => Number(word & 0xff_ff_ff_ffn) | 0;
