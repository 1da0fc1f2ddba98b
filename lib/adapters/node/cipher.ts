import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { LRUCache } from "lru-cache";
import { assert, Bug } from "#lib/errors.ts";
import { SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { Cipher } from "#lib/ports/ports.ts";
import { authenticatedPlace, ENCRYPTION_KEY_BYTES, sealedParts } from "../local/crypto.ts";
import { packText, unpackText } from "./packed-text.ts";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DERIVED_KEYS_BYTES_MAX = 1024 * 1024;
const DERIVED_KEY_BYTES = 1_024;

const RECENT_CHARS_MAX = 512 * 1024;
const RECENT_TEXT_CHARS_MAX = 4_096;

interface RecentText {
  readonly place: string;
  readonly known: string | undefined;
  readonly text: string;
}

/** Making a key object from bytes at each call takes longer than sealing. */
const derive = (masterKey: Uint8Array, context: string): KeyObject =>
  createSecretKey(
    Buffer.from(hkdfSync("sha256", masterKey, "hearth", context, ENCRYPTION_KEY_BYTES)),
  );

/**
 * AES-256-GCM. Each context has its own key (HKDF of the master key), and the place of a text is
 * authenticated. Texts are compressed first (ADR 20). A text that does not open is a Bug: it was
 * changed, or it was sealed for another place.
 */
export const aesCipher = (masterKey: Uint8Array): Cipher => {
  assert(masterKey.length === ENCRYPTION_KEY_BYTES, "the master key has the wrong length");
  const derived = new LRUCache<string, KeyObject>({
    maxSize: DERIVED_KEYS_BYTES_MAX,
    sizeCalculation: (_, context) => DERIVED_KEY_BYTES + context.length,
  });
  const keyOf = (context: string): KeyObject => {
    const known = derived.get(context);
    if (known) return known;
    const key = derive(masterKey, context);
    derived.set(context, key);
    return key;
  };

  /** The key is the sealed form, so a text that was changed is not found. */
  const recent = new LRUCache<string, RecentText>({
    maxSize: RECENT_CHARS_MAX,
    maxEntrySize: RECENT_TEXT_CHARS_MAX,
  });
  const keep = (sealed: string, opened: RecentText): void => {
    recent.set(sealed, opened, { size: sealed.length + opened.text.length });
  };

  const newIv = randomPieces(IV_BYTES);
  return {
    seal: async (at, text, known) => {
      const iv = newIv();
      const place = authenticatedPlace(at);
      const cipher = createCipheriv(ALGORITHM, keyOf(at.context), iv);
      cipher.setAAD(Buffer.from(place));
      const body = [cipher.update(await packText(text, known)), cipher.final()];
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), ...body]);
      const sealed = SEALED_FORMAT + bytes.toString("base64url");
      keep(sealed, { place, known, text });
      return sealed;
    },
    open: async (at, sealed, known) => {
      const { authenticated: place, base64 } = sealedParts(at, sealed);
      const found = recent.get(sealed);
      if (found?.place === place && found.known === known) return found.text;
      const bytes = Buffer.from(base64, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES)
        throw new Bug(`a sealed text of ${at.context} (${at.field}) is cut`);
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(ALGORITHM, keyOf(at.context), iv, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        const text = await unpackText(Buffer.concat([body, decipher.final()]), known);
        keep(sealed, { place, known, text });
        return text;
      } catch (error) {
        throw new Bug(`a sealed text of ${at.context} (${at.field}) does not open`, {
          cause: error,
        });
      }
    },
  };
};

/**
 * The number is small because a copy of the running machine has the same unused pieces. OpenSSL's
 * generator is copied with them too, and differs only after its next seed.
 */
const PIECES = 16;

/** Random bytes in small pieces. The system needs as long for twelve of them as for a hundred. */
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
