/** BLAKE2b and BLAKE2s without a key (RFC 7693). They differ in the size of their words. */
import { hexOfWords, SQUARE_ROOTS } from "./blocks.ts";

/** The order of the words in each round, as hexadecimal digits. Later rounds begin again. */
const ORDERS = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];
/** The four words of each step: the columns, then the diagonals. */
const STEPS = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"];

interface Kind {
  readonly wordBits: number;
  readonly rounds: number;
  readonly rotations: readonly [bigint, bigint, bigint, bigint];
}

const digitsOf = (text: string): readonly number[] =>
  Array.from(text, (digit) => Number.parseInt(digit, 16));

const blake2 = ({ wordBits, rounds, rotations }: Kind): ((bytes: Uint8Array) => string) => {
  const bits = BigInt(wordBits);
  const wordBytes = wordBits / 8;
  const blockBytes = wordBytes * 16;
  const orders = ORDERS.map(digitsOf);
  const steps = STEPS.map(digitsOf);
  const start = SQUARE_ROOTS.slice(0, 8).map((root) => root >> (64n - bits));
  const word = (value: bigint): bigint => BigInt.asUintN(wordBits, value);
  const turn = (value: bigint, by: bigint): bigint => (value >> by) | word(value << (bits - by));

  const mix = (work: bigint[], step: readonly number[], x: bigint, y: bigint): void => {
    const [a = 0, b = 0, c = 0, d = 0] = step;
    const at = (index: number): bigint => work[index] ?? 0n;
    [x, y].forEach((input, half) => {
      const [first, second] = half === 0 ? rotations : [rotations[2], rotations[3]];
      work[a] = word(at(a) + at(b) + input);
      work[d] = turn(at(d) ^ at(a), first);
      work[c] = word(at(c) + at(d));
      work[b] = turn(at(b) ^ at(c), second);
    });
  };

  const fold = (
    state: readonly bigint[],
    words: readonly bigint[],
    counted: bigint,
    isLast: boolean,
  ): readonly bigint[] => {
    const work = [...state, ...start];
    work[12] = (work[12] ?? 0n) ^ word(counted);
    if (isLast) work[14] = word(~(work[14] ?? 0n));
    for (let round = 0; round < rounds; round += 1) {
      const order = orders[round % orders.length] ?? [];
      const input = (index: number): bigint => words[order[index] ?? 0] ?? 0n;
      steps.forEach((step, at) => {
        mix(work, step, input(2 * at), input(2 * at + 1));
      });
    }
    return state.map((value, at) => value ^ (work[at] ?? 0n) ^ (work[at + 8] ?? 0n));
  };

  return (bytes) => {
    const blocks = Math.max(Math.ceil(bytes.length / blockBytes), 1);
    const all = new Uint8Array(blocks * blockBytes);
    all.set(bytes);
    const view = new DataView(all.buffer);
    const read = (at: number): bigint =>
      wordBits === 64 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true));
    const parameters = BigInt(0x01_01_00_00 + wordBytes * 8);
    let state: readonly bigint[] = start.map((value, at) =>
      at === 0 ? value ^ parameters : value,
    );
    for (let block = 0; block < blocks; block += 1) {
      const from = block * blockBytes;
      const words = Array.from({ length: 16 }, (_, at) => read(from + at * wordBytes));
      const counted = Math.min(from + blockBytes, bytes.length);
      state = fold(state, words, BigInt(counted), block === blocks - 1);
    }
    return hexOfWords(state, wordBytes, true);
  };
};

export const blake2b = blake2({ wordBits: 64, rounds: 12, rotations: [32n, 24n, 16n, 63n] });
export const blake2s = blake2({ wordBits: 32, rounds: 10, rotations: [16n, 12n, 8n, 7n] });
