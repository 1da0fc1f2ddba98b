/** SM3, the digest of GB/T 32905. */
import { hexOfWords, rotateLeft } from "./blocks.ts";
import { folded, type State } from "./words32.ts";

const START: State = [
  0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];
const ROUNDS = 64;
/** Rounds with the simpler mixes. */
const FIRST_ROUNDS = 16;
/** The last rounds look four words ahead. */
const WORDS = ROUNDS + 4;

const spread = (word: number): number => word ^ rotateLeft(word, 15) ^ rotateLeft(word, 23);

const expand = (words: Int32Array): void => {
  const at = (index: number): number => words[index] ?? 0;
  for (let index = 16; index < WORDS; index += 1) {
    const mixed = at(index - 16) ^ at(index - 9) ^ rotateLeft(at(index - 3), 15);
    words[index] = spread(mixed) ^ rotateLeft(at(index - 13), 7) ^ at(index - 6);
  }
};

const fold = (state: State, words: Int32Array): State => {
  expand(words);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < ROUNDS; at += 1) {
    const isFirst = at < FIRST_ROUNDS;
    const constant = rotateLeft(isFirst ? 0x79cc4519 : 0x7a879d8a, at % 32);
    const high = rotateLeft(a, 12);
    const first = rotateLeft((high + e + constant) | 0, 7);
    const word = words[at] ?? 0;
    const left = isFirst ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
    const right = isFirst ? e ^ f ^ g : (e & f) | (~e & g);
    const one = (left + d + (first ^ high) + (word ^ (words[at + 4] ?? 0))) | 0;
    const two = (right + h + first + word) | 0;
    [d, c, b, a] = [c, rotateLeft(b, 9), a, one];
    [h, g, f, e] = [g, rotateLeft(f, 19), e, two ^ rotateLeft(two, 9) ^ rotateLeft(two, 17)];
  }
  // The caller adds the state, and SM3 takes the exclusive or.
  return [a, b, c, d, e, f, g, h].map((word, at) => {
    const before = state[at] ?? 0;
    return ((word ^ before) - before) | 0;
  });
};

export const sm3 = (bytes: Uint8Array): string =>
  hexOfWords(folded(bytes, false, START, fold, WORDS), 4, false);
