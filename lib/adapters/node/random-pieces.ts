/** Random bytes in small pieces. The system takes as long for twelve of them as for a hundred. */
import { randomBytes } from "node:crypto";

/**
 * Few, because a copy of the running machine has the same ones until they are used up. OpenSSL's
 * generator is copied with it too, and differs only after its next seed.
 */
const PIECES = 16;

/** Each call gives bytes that no other call has given. */
export const randomPieces = (bytes: number): (() => Buffer) => {
  let pool = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at === pool.length) {
      pool = randomBytes(bytes * PIECES);
      at = 0;
    }
    at += bytes;
    return pool.subarray(at - bytes, at);
  };
};
