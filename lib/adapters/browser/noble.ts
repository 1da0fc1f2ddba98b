/** Sealing, signing, ids and chance in a browser's page, where Node's cryptography is missing. */
import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { assert, Bug } from "#lib/errors.ts";
import { SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { Cipher, Ids, Random, Signer } from "#lib/ports/ports.ts";
import {
  authenticatedPlace,
  derivedId,
  ENCRYPTION_KEY_BYTES,
  grantSigner,
  type KeyedHash,
  type SigningKey,
  sealedParts,
} from "../local/crypto.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM in the format of the Node adapter, which can open what this cipher seals. It does not
 * compress, because a page keeps its texts only for minutes. So it cannot open texts that the Node
 * adapter has compressed, and a known text makes no difference.
 */
export const nobleCipher = (masterKey: Uint8Array): Cipher => {
  assert(masterKey.length === ENCRYPTION_KEY_BYTES, "the master key has the wrong length");
  const aesOf = (context: string, authenticated: string, iv: Uint8Array) => {
    const [salt, info] = [utf8ToBytes("hearth"), utf8ToBytes(context)];
    const key = hkdf(sha256, masterKey, salt, info, ENCRYPTION_KEY_BYTES);
    return gcm(key, iv, utf8ToBytes(authenticated));
  };
  return {
    seal: async (place, text) => {
      const iv = randomBytes(IV_BYTES);
      const aes = aesOf(place.context, authenticatedPlace(place), iv);
      const sealed = aes.encrypt(utf8ToBytes(text));
      const [body, tag] = [sealed.subarray(0, -TAG_BYTES), sealed.subarray(-TAG_BYTES)];
      return SEALED_FORMAT + base64Url(Uint8Array.from([...iv, ...tag, ...body]));
    },
    open: async ({ context, field }, sealed) => {
      const { authenticated, base64 } = sealedParts({ context, field }, sealed);
      const bytes = bytesOfBase64Url(base64);
      if (bytes === null || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Bug(`a sealed text of ${context} (${field}) is cut`);
      const [tag, body] = [
        bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
        bytes.subarray(IV_BYTES + TAG_BYTES),
      ];
      try {
        const text = aesOf(context, authenticated, bytes.subarray(0, IV_BYTES)).decrypt(
          Uint8Array.from([...body, ...tag]),
        );
        return new TextDecoder("utf-8", { fatal: true }).decode(text);
      } catch (error) {
        throw new Bug(`a sealed text of ${context} (${field}) does not open`, { cause: error });
      }
    },
  };
};

const isEqual = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ (other.charCodeAt(at) || 0);
  return difference === 0;
};

const HASH: KeyedHash = {
  hmac: (secret, text) => base64Url(hmac(sha256, secret, utf8ToBytes(text))),
  isEqual,
};

/** The signatures equal those of the Node adapter. */
export const nobleSigner = (keys: readonly SigningKey[]): Signer => grantSigner(keys, HASH);

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

/** More arguments in one call would overflow the call stack. */
const CHUNK_BYTES = 8_192;

const base64Url = (bytes: Uint8Array): string => {
  let latin1 = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    latin1 += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  const padded = btoa(latin1).replaceAll("+", "-").replaceAll("/", "_");
  return padded.replace(/(?<!=)=+$/, "");
};

const bytesOfBase64Url = (text: string): Uint8Array | null => {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const latin1 = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(latin1, (char) => char.charCodeAt(0));
};
