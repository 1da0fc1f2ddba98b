import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { assert, Bug } from "#lib/errors.ts";
import type { Cipher } from "#lib/ports/cipher.ts";
import { ENCRYPTION_KEY_BYTES } from "../local/keys.ts";
import { base64Url, bytesOfBase64Url } from "./base64-url.ts";

const FORMAT = "v1.";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM in the format of the Node adapter, which opens what this one has sealed. Nothing is
 * compressed, because a page keeps its texts for minutes. So no text that the Node adapter has
 * compressed opens here, and a known text makes no difference.
 */
export const nobleCipher = (masterKey: Uint8Array): Cipher => {
  assert(masterKey.length === ENCRYPTION_KEY_BYTES, "the master key has the wrong length");
  const aesOf = (context: string, iv: Uint8Array) => {
    const bytes = utf8ToBytes(context);
    const key = hkdf(sha256, masterKey, utf8ToBytes("hearth"), bytes, ENCRYPTION_KEY_BYTES);
    return gcm(key, iv, bytes);
  };
  return {
    seal: async (context, text) => {
      const iv = randomBytes(IV_BYTES);
      const sealed = aesOf(context, iv).encrypt(utf8ToBytes(text));
      const [body, tag] = [sealed.subarray(0, -TAG_BYTES), sealed.subarray(-TAG_BYTES)];
      return FORMAT + base64Url(Uint8Array.from([...iv, ...tag, ...body]));
    },
    open: async (context, sealed) => {
      const bytes = bytesOfBase64Url(sealed.slice(FORMAT.length));
      if (!sealed.startsWith(FORMAT) || bytes === null || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Bug(`a sealed text of ${context} has an unknown format`);
      const [tag, body] = [
        bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
        bytes.subarray(IV_BYTES + TAG_BYTES),
      ];
      try {
        const text = aesOf(context, bytes.subarray(0, IV_BYTES)).decrypt(
          Uint8Array.from([...body, ...tag]),
        );
        return new TextDecoder("utf-8", { fatal: true }).decode(text);
      } catch (error) {
        throw new Bug(`a sealed text of ${context} does not open`, { cause: error });
      }
    },
  };
};
