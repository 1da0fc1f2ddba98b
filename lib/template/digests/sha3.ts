/** SHA-3: the sponge of Keccak over 25 lanes of 64 bits. */
import { hexOfWords, rotateRight64, word64 } from "./blocks.ts";

const LANES = 25;
const STATE_BYTES = 200;
const ROUNDS = 24;

/** The bits of a shift register, at the positions 2^n - 1 of a constant. */
const constants = (): readonly bigint[] => {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if ((register & 1) === 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    return constant;
  });
};

/** In the order of the walk that moves the lanes: where each goes, and by how much it turns. */
const walk = (): readonly (readonly [number, bigint])[] => {
  let [x, y] = [1, 0];
  return Array.from({ length: LANES - 1 }, (_, step) => {
    const lane = x + 5 * y;
    [x, y] = [y, (2 * x + 3 * y) % 5];
    return [lane, BigInt((((step + 1) * (step + 2)) / 2) % 64)] as const;
  });
};

const CONSTANTS = constants();
const WALK = walk();

const rotateLeft64 = (lane: bigint, by: bigint): bigint =>
  by === 0n ? lane : rotateRight64(lane, 64n - by);

const round = (state: bigint[], constant: bigint): void => {
  const at = (index: number): bigint => state[index] ?? 0n;
  const columns = [0, 1, 2, 3, 4].map(
    (x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20),
  );
  for (let lane = 0; lane < LANES; lane += 1) {
    const before = columns[(lane + 4) % 5] ?? 0n;
    state[lane] = at(lane) ^ before ^ rotateLeft64(columns[(lane + 1) % 5] ?? 0n, 1n);
  }
  const moved = [...state];
  WALK.forEach(([from, by], step) => {
    const [to] = WALK[(step + 1) % WALK.length] ?? [0];
    moved[to] = rotateLeft64(at(from), by);
  });
  for (let lane = 0; lane < LANES; lane += 1) {
    const row = lane - (lane % 5);
    const next = moved[row + ((lane + 1) % 5)] ?? 0n;
    const second = moved[row + ((lane + 2) % 5)] ?? 0n;
    state[lane] = (moved[lane] ?? 0n) ^ (word64(~next) & second);
  }
  state[0] = at(0) ^ constant;
};

export const sha3 = (bits: number): ((bytes: Uint8Array) => string) => {
  const rate = STATE_BYTES - bits / 4;
  return (bytes) => {
    const all = new Uint8Array((Math.floor(bytes.length / rate) + 1) * rate);
    all.set(bytes);
    all[bytes.length] = 0x06;
    all[all.length - 1] = (all[all.length - 1] ?? 0) | 0x80;
    const view = new DataView(all.buffer);
    const state = Array.from({ length: LANES }, () => 0n);
    for (let from = 0; from < all.length; from += rate) {
      for (let lane = 0; lane < rate / 8; lane += 1) {
        state[lane] = (state[lane] ?? 0n) ^ view.getBigUint64(from + lane * 8, true);
      }
      for (const constant of CONSTANTS) round(state, constant);
    }
    return hexOfWords(state, 8, true).slice(0, bits / 4);
  };
};
