/** The digests that compute with words of 64 bits: the long ones of SHA-2, and SHA-3. */
import { CUBE_ROOTS, hexOfWords, padded, rotateRight64, SQUARE_ROOTS, word64 } from "./blocks.ts";

const BLOCK_BYTES = 128;
const ROUNDS = 80;

type State = readonly bigint[];

const turned = (word: bigint, first: bigint, second: bigint, third: bigint): bigint =>
  rotateRight64(word, first) ^ rotateRight64(word, second) ^ rotateRight64(word, third);

const schedule = (view: DataView, from: number): readonly bigint[] => {
  const words = Array.from({ length: 16 }, (_, at) => view.getBigUint64(from + at * 8));
  for (let at = 16; at < ROUNDS; at += 1) {
    const early = words[at - 15] ?? 0n;
    const late = words[at - 2] ?? 0n;
    const first = rotateRight64(early, 1n) ^ rotateRight64(early, 8n) ^ (early >> 7n);
    const second = rotateRight64(late, 19n) ^ rotateRight64(late, 61n) ^ (late >> 6n);
    words.push(word64((words[at - 16] ?? 0n) + first + (words[at - 7] ?? 0n) + second));
  }
  return words;
};

const fold = (state: State, words: readonly bigint[]): State => {
  let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state;
  for (let at = 0; at < ROUNDS; at += 1) {
    const constant = (CUBE_ROOTS[at] ?? 0n) + (words[at] ?? 0n);
    const choice = (e & f) ^ (word64(~e) & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = h + turned(e, 14n, 18n, 41n) + choice + constant;
    const second = turned(a, 28n, 34n, 39n) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, word64(d + first), c, b, a, word64(first + second)];
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => word64(word + (state[at] ?? 0n)));
};

const sha2 = (bytes: Uint8Array, initial: State): string => {
  const view = padded(bytes, BLOCK_BYTES, false);
  let state = initial;
  for (let at = 0; at < view.byteLength; at += BLOCK_BYTES) state = fold(state, schedule(view, at));
  return hexOfWords(state, 8, false);
};

const SHA512_START = SQUARE_ROOTS.slice(0, 8);
const SHA384_START = SQUARE_ROOTS.slice(8);

export const sha512 = (bytes: Uint8Array): string => sha2(bytes, SHA512_START);
export const sha384 = (bytes: Uint8Array): string => sha2(bytes, SHA384_START).slice(0, 96);

/** SHA-512/224 and SHA-512/256 begin with the digest of their own names. */
export const sha512Shortened = (bits: number): ((bytes: Uint8Array) => string) => {
  const start = SHA512_START.map((word) => word ^ 0xa5a5a5a5a5a5a5a5n);
  const name = Uint8Array.from(`SHA-512/${bits}`, (character) => character.charCodeAt(0));
  const words = sha2(name, start).match(/.{16}/g) ?? [];
  const initial = words.map((word) => BigInt(`0x${word}`));
  return (bytes) => sha2(bytes, initial).slice(0, bits / 4);
};
