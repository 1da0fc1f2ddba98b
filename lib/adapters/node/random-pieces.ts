/** Random bytes in small pieces. The system needs as long for twelve of them as for a hundred. */
import { randomBytes } from "node:crypto";

/**
 * The number is small because a copy of the running machine has the same unused pieces. OpenSSL's
 * generator is copied with them too, and differs only after its next seed.
 */
const PIECES = 16;

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
