/** SM3, the digest of GB/T 32905. The library of digests does not have it. */
import { bytesToHex } from "@noble/hashes/utils.js";

type State = readonly number[];

const BLOCK_BYTES = 64;
const BLOCK_WORDS = 16;
const WORD_BYTES = 4;
/** The length in bits ends the last block. */
const LENGTH_BYTES = 8;
const END_MARK = 0x80;

const START: State = [
  0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];
const ROUNDS = 64;
/** Rounds with the simpler mixes. */
const FIRST_ROUNDS = 16;
/** The last rounds look four words ahead. */
const WORDS = ROUNDS + 4;

const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

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
  return [a, b, c, d, e, f, g, h].map((word, at) => word ^ (state[at] ?? 0));
};

/** A bit of one, zeros, and the length in bits. */
const padded = (bytes: Uint8Array): DataView<ArrayBuffer> => {
  const blocks = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES);
  const all = new Uint8Array(blocks * BLOCK_BYTES);
  all.set(bytes);
  all[bytes.length] = END_MARK;
  const view = new DataView(all.buffer);
  view.setBigUint64(all.length - LENGTH_BYTES, BigInt(bytes.length) * 8n);
  return view;
};

export const sm3 = (bytes: Uint8Array): string => {
  const view = padded(bytes);
  const words = new Int32Array(WORDS);
  let state = START;
  for (let at = 0; at < view.byteLength; at += BLOCK_BYTES) {
    for (let word = 0; word < BLOCK_WORDS; word += 1)
      words[word] = view.getInt32(at + word * WORD_BYTES);
    state = fold(state, words);
  }
  const result = new DataView(new ArrayBuffer(state.length * WORD_BYTES));
  for (const [index, word] of state.entries()) result.setInt32(index * WORD_BYTES, word);
  return bytesToHex(new Uint8Array(result.buffer));
};
