import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { assert, Bug } from "#lib/errors.ts";
import type { Cipher } from "#lib/ports/cipher.ts";
import { ENCRYPTION_KEY_BYTES } from "./keys.ts";

/** The format's name stands in front, so that another one can come beside it. */
const FORMAT = "v1.";
const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DERIVED_KEYS_MAX = 1_024;

interface ContextKey {
  /** Bytes would be made into a key object at each call, which takes longer than sealing. */
  readonly key: KeyObject;
  readonly context: Buffer;
}

const derive = (masterKey: Uint8Array, context: string): ContextKey => {
  const bytes = hkdfSync("sha256", masterKey, "hearth", context, ENCRYPTION_KEY_BYTES);
  return { key: createSecretKey(Buffer.from(bytes)), context: Buffer.from(context) };
};

/**
 * AES-256-GCM with a key of its own for each context (HKDF of the master key), the context being
 * authenticated too. What does not open is a Bug: the text was changed, or belongs to another stack.
 */
export const aesCipher = (masterKey: Uint8Array): Cipher => {
  assert(masterKey.length === ENCRYPTION_KEY_BYTES, "the master key has the wrong length");
  const derived = new Map<string, ContextKey>();
  const keyOf = (context: string): ContextKey => {
    const known = derived.get(context);
    if (known) return known;
    const key = derive(masterKey, context);
    if (derived.size >= DERIVED_KEYS_MAX) derived.clear();
    derived.set(context, key);
    return key;
  };

  return {
    seal: async (context, text) => {
      const iv = randomBytes(IV_BYTES);
      const own = keyOf(context);
      const cipher = createCipheriv(ALGORITHM, own.key, iv);
      cipher.setAAD(own.context);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return FORMAT + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open: async (context, sealed) => {
      const bytes = Buffer.from(sealed.slice(FORMAT.length), "base64url");
      if (!sealed.startsWith(FORMAT) || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Bug(`a sealed text of ${context} has an unknown format`);
      const own = keyOf(context);
      const decipher = createDecipheriv(ALGORITHM, own.key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(own.context);
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([body, decipher.final()]).toString("utf8");
      } catch (error) {
        throw new Bug(`a sealed text of ${context} does not open`, { cause: error });
      }
    },
  };
};
