/** The digests that compute with words of 32 bits: MD5, SHA-1, SHA-224 and SHA-256, and SM3. */
import {
  CUBE_ROOTS,
  hexOfWords,
  lowerHalf,
  padded,
  rotateLeft,
  SQUARE_ROOTS,
  upperHalf,
} from "./blocks.ts";

const BLOCK_BYTES = 64;
const BLOCK_WORDS = 16;

export type State = readonly number[];

/** Folds the blocks of a padded text into a state. */
export const folded = (
  bytes: Uint8Array,
  littleEndian: boolean,
  initial: State,
  fold: (state: State, words: Int32Array) => State,
  wordsKept = BLOCK_WORDS,
): State => {
  const view = padded(bytes, BLOCK_BYTES, littleEndian);
  const words = new Int32Array(wordsKept);
  let state = initial;
  for (let at = 0; at < view.byteLength; at += BLOCK_BYTES) {
    for (let word = 0; word < BLOCK_WORDS; word += 1) {
      words[word] = view.getInt32(at + word * 4, littleEndian);
    }
    const next = fold(state, words);
    state = state.map((value, index) => (value + (next[index] ?? 0)) | 0);
  }
  return state;
};

export const START: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

const MD5_SINES = Array.from({ length: 64 }, (_, at) =>
  Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32),
);
const MD5_ROTATIONS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
/** The factor and the offset of the word that a round takes. */
const MD5_ORDER = [
  [1, 0],
  [5, 1],
  [3, 5],
  [7, 0],
] as const;

const md5Mix = (round: number, b: number, c: number, d: number): number => {
  if (round === 0) return (b & c) | (~b & d);
  if (round === 1) return (d & b) | (~d & c);
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
};

const md5Fold = (state: State, words: Int32Array): State => {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const round = at >> 4;
    const [factor, offset] = MD5_ORDER[round] ?? MD5_ORDER[0];
    const word = words[(at * factor + offset) % BLOCK_WORDS] ?? 0;
    const sum = (a + md5Mix(round, b, c, d) + word + (MD5_SINES[at] ?? 0)) | 0;
    const turned = rotateLeft(sum, MD5_ROTATIONS[round * 4 + (at % 4)] ?? 0);
    [a, d, c, b] = [d, c, b, (b + turned) | 0];
  }
  return [a, b, c, d];
};

export const md5 = (bytes: Uint8Array): string =>
  hexOfWords(folded(bytes, true, START.slice(0, 4), md5Fold), 4, true);

const SHA1_CONSTANTS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

const majority = (x: number, y: number, z: number): number => (x & y) | (x & z) | (y & z);
const choice = (x: number, y: number, z: number): number => (x & y) | (~x & z);

const sha1Fold = (state: State, words: Int32Array): State => {
  for (let at = BLOCK_WORDS; at < 80; at += 1) {
    const mixed = [3, 8, 14, 16].reduce((sum, back) => sum ^ (words[at - back] ?? 0), 0);
    words[at] = rotateLeft(mixed, 1);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let at = 0; at < 80; at += 1) {
    const round = Math.floor(at / 20);
    const mix = round === 0 ? choice(b, c, d) : round === 2 ? majority(b, c, d) : b ^ c ^ d;
    const sum = (rotateLeft(a, 5) + mix + e + (SHA1_CONSTANTS[round] ?? 0) + (words[at] ?? 0)) | 0;
    [e, d, c, b, a] = [d, c, rotateLeft(b, 30), a, sum];
  }
  return [a, b, c, d, e];
};

export const sha1 = (bytes: Uint8Array): string =>
  hexOfWords(folded(bytes, false, START, sha1Fold, 80), 4, false);

const SHA256_CONSTANTS = Int32Array.from(CUBE_ROOTS.slice(0, 64), upperHalf);

const turnedRight = (word: number, first: number, second: number, third: number): number =>
  rotateLeft(word, 32 - first) ^ rotateLeft(word, 32 - second) ^ rotateLeft(word, 32 - third);

const sha256Fold = (state: State, words: Int32Array): State => {
  for (let at = BLOCK_WORDS; at < 64; at += 1) {
    const early = words[at - 15] ?? 0;
    const late = words[at - 2] ?? 0;
    const first = rotateLeft(early, 25) ^ rotateLeft(early, 14) ^ (early >>> 3);
    const second = rotateLeft(late, 15) ^ rotateLeft(late, 13) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + first + (words[at - 7] ?? 0) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const constant = (SHA256_CONSTANTS[at] ?? 0) + (words[at] ?? 0);
    const first = (h + turnedRight(e, 6, 11, 25) + choice(e, f, g) + constant) | 0;
    const second = (turnedRight(a, 2, 13, 22) + majority(a, b, c)) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h];
};

export const sha256 = (bytes: Uint8Array): string =>
  hexOfWords(
    folded(bytes, false, SQUARE_ROOTS.slice(0, 8).map(upperHalf), sha256Fold, 64),
    4,
    false,
  );

export const sha224 = (bytes: Uint8Array): string => {
  const initial = SQUARE_ROOTS.slice(8).map(lowerHalf);
  return hexOfWords(folded(bytes, false, initial, sha256Fold, 64).slice(0, 7), 4, false);
};
