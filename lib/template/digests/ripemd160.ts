/** RIPEMD-160: two lines of five rounds, side by side. */
import { hexOfWords, rotateLeft } from "./blocks.ts";
import { folded, START, type State } from "./words32.ts";

const ROUND_STEPS = 16;
const STEPS = 5 * ROUND_STEPS;

interface Line {
  /** Which word each step takes, and by how much it turns, as hexadecimal digits. */
  readonly order: string;
  readonly rotations: string;
  readonly constants: readonly number[];
  /** The second line has the mixes in reverse. */
  readonly reversed: boolean;
}

const LEFT: Line = {
  order: "0123456789abcdef74d1a6f3c0952eb83ae49f812706db5c19ba08c4d37fe56240597c2ae138b6fd",
  rotations: "befc5879bdef6798768db97f7cf9b7dcbd67e9dfe8d65c75bcefef989e56865c9f5b68dc5cdeb856",
  constants: [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e],
  reversed: false,
};

const RIGHT: Line = {
  order: "5e7092b4d6f81a3c6b370d5aef8c4912f5137e69b8c2a04d86413bf05c2d97aecfa4158762de039b",
  rotations: "899bdff5778beec69df7c89b77c76fdb97fb866ecd5edd75f58bee6e69c9c5f885c9c5e68d65fdbb",
  constants: [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0],
  reversed: true,
};

const mix = (kind: number, x: number, y: number, z: number): number => {
  if (kind === 0) return x ^ y ^ z;
  if (kind === 1) return (x & y) | (~x & z);
  if (kind === 2) return (x | ~y) ^ z;
  return kind === 3 ? (x & z) | (y & ~z) : x ^ (y | ~z);
};

const run = ({ order, rotations, constants, reversed }: Line, state: State, words: Int32Array) => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let step = 0; step < STEPS; step += 1) {
    const round = Math.floor(step / ROUND_STEPS);
    const word = words[Number.parseInt(order.charAt(step), 16)] ?? 0;
    const mixed = mix(reversed ? 4 - round : round, b, c, d);
    const sum = (a + mixed + word + (constants[round] ?? 0)) | 0;
    const turned = (rotateLeft(sum, Number.parseInt(rotations.charAt(step), 16)) + e) | 0;
    [a, e, d, c, b] = [e, d, rotateLeft(c, 10), b, turned];
  }
  return [a, b, c, d, e];
};

const fold = (state: State, words: Int32Array): State => {
  const left = run(LEFT, state, words);
  const right = run(RIGHT, state, words);
  // The caller adds the word before, and RIPEMD adds the one behind.
  return state.map((before, at) => {
    const behind = state[(at + 1) % 5] ?? 0;
    return (behind - before + (left[(at + 2) % 5] ?? 0) + (right[(at + 3) % 5] ?? 0)) | 0;
  });
};

export const ripemd160 = (bytes: Uint8Array): string =>
  hexOfWords(folded(bytes, true, START, fold), 4, true);
