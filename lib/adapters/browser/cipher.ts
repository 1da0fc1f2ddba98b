import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { assert, Bug } from "#lib/errors.ts";
import { SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { Cipher } from "#lib/ports/ports.ts";
import { authenticatedPlace, sealedParts } from "../local/authenticated-place.ts";
import { ENCRYPTION_KEY_BYTES } from "../local/keys.ts";
import { base64Url, bytesOfBase64Url } from "./base64-url.ts";

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
