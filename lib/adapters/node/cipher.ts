import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { LRUCache } from "lru-cache";
import { assert, Bug } from "#lib/errors.ts";
import type { Cipher } from "#lib/ports/cipher.ts";
import { ENCRYPTION_KEY_BYTES } from "../local/keys.ts";
import { packText, unpackText } from "./packed-text.ts";
import { randomPieces } from "./random-pieces.ts";

/** The format's name comes first, so that a later format can be told from it. */
const FORMAT = "v1.";
const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Of the derived keys that a worker keeps. */
const DERIVED_KEYS_BYTES_MAX = 1024 * 1024;
/** What a key takes besides its context, roughly. */
const DERIVED_KEY_BYTES = 1_024;

/** Of the texts that a worker keeps open: it opens soon what it has sealed. */
const RECENT_CHARS_MAX = 512 * 1024;
const RECENT_TEXT_CHARS_MAX = 4_096;

interface RecentText {
  readonly context: string;
  readonly known: string | undefined;
  readonly text: string;
}

interface ContextKey {
  /** Making a key object from bytes at each call takes longer than sealing. */
  readonly key: KeyObject;
  readonly context: Buffer;
}

const derive = (masterKey: Uint8Array, context: string): ContextKey => {
  const bytes = hkdfSync("sha256", masterKey, "hearth", context, ENCRYPTION_KEY_BYTES);
  return { key: createSecretKey(Buffer.from(bytes)), context: Buffer.from(context) };
};

/**
 * AES-256-GCM. Each context has a key of its own (HKDF of the master key) and is authenticated too.
 * Texts are compressed before (ADR 20). A text that does not open is a Bug: it was changed, or it
 * belongs to another stack.
 */
export const aesCipher = (masterKey: Uint8Array): Cipher => {
  assert(masterKey.length === ENCRYPTION_KEY_BYTES, "the master key has the wrong length");
  const derived = new LRUCache<string, ContextKey>({
    maxSize: DERIVED_KEYS_BYTES_MAX,
    sizeCalculation: ({ context }) => DERIVED_KEY_BYTES + context.length,
  });
  const keyOf = (context: string): ContextKey => {
    const known = derived.get(context);
    if (known) return known;
    const key = derive(masterKey, context);
    derived.set(context, key);
    return key;
  };

  /** By their sealed form, so a changed one is not found. */
  const recent = new LRUCache<string, RecentText>({
    maxSize: RECENT_CHARS_MAX,
    maxEntrySize: RECENT_TEXT_CHARS_MAX,
  });
  const keep = (sealed: string, opened: RecentText): void => {
    recent.set(sealed, opened, { size: sealed.length + opened.text.length });
  };

  const newIv = randomPieces(IV_BYTES);
  return {
    seal: async (context, text, known) => {
      const iv = newIv();
      const own = keyOf(context);
      const cipher = createCipheriv(ALGORITHM, own.key, iv);
      cipher.setAAD(own.context);
      const body = [cipher.update(await packText(text, known)), cipher.final()];
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), ...body]);
      const sealed = FORMAT + bytes.toString("base64url");
      keep(sealed, { context, known, text });
      return sealed;
    },
    open: async (context, sealed, known) => {
      const found = recent.get(sealed);
      if (found?.context === context && found.known === known) return found.text;
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
        const text = await unpackText(Buffer.concat([body, decipher.final()]), known);
        keep(sealed, { context, known, text });
        return text;
      } catch (error) {
        throw new Bug(`a sealed text of ${context} does not open`, { cause: error });
      }
    },
  };
};
