import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { assert } from "#lib/errors.ts";
import type { Ids, Random } from "#lib/ports/ports.ts";
import { derivedId } from "../local/derived-id.ts";

const UUID_BYTES = 16;
const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

export const browserIds = (): Ids => ({
  fresh: () => derivedId([bytesToHex(randomBytes(UUID_BYTES))], sha256Hex),
  derive: (...parts) => derivedId(parts, sha256Hex),
});

const WORD = 2 ** 32;

const randomWord = (): number => new DataView(randomBytes(4).buffer).getUint32(0);

/**
 * A word beyond the last whole multiple of the limit is drawn again, because its remainder would
 * make some results more likely.
 */
export const browserRandom = (): Random => ({
  below: (limit) => {
    assert(limit <= WORD, "a random number is too large");
    for (;;) {
      const word = randomWord();
      if (word < WORD - (WORD % limit)) return word % limit;
    }
  },
});
