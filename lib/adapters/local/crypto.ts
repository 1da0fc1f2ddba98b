/**
 * What the cryptography of Node and of a page have in common: the keys, what a sealed text and a
 * signed grant contain, and the form of derived ids. Each adapter brings its own hashes and
 * ciphers.
 */
import { Bug, present } from "#lib/errors.ts";
import { canonicalJson } from "#lib/json.ts";
import { FORMER_FORMAT, SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { SealedPlace, SignedGrant, Signer } from "#lib/ports/ports.ts";

export interface SigningKey {
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** As long as the hash. A shorter key would weaken the signature. */
export const SIGNING_KEY_BYTES_MIN = 32;
export const ENCRYPTION_KEY_BYTES = 32;

interface SealedParts {
  readonly authenticated: string;
  readonly base64: string;
}

/**
 * The result begins with a bracket, and a context never does. So a text of one format cannot be
 * opened as the other one.
 */
export const authenticatedPlace = ({ context, field }: SealedPlace): string =>
  JSON.stringify([context, field]);

export const sealedParts = (place: SealedPlace, sealed: string): SealedParts => {
  const format = sealed.slice(0, SEALED_FORMAT.length);
  const base64 = sealed.slice(SEALED_FORMAT.length);
  if (format === SEALED_FORMAT) return { authenticated: authenticatedPlace(place), base64 };
  if (format === FORMER_FORMAT) return { authenticated: place.context, base64 };
  throw new Bug(`a sealed text of ${place.context} (${place.field}) has an unknown format`);
};

export interface KeyedHash {
  readonly hmac: (secret: Uint8Array, text: string) => string;
  /** Takes equally long for any two texts of the same length. */
  readonly isEqual: (one: string, other: string) => boolean;
}

/** Part of the signed text, so that a signature from another use of the key is not valid here. */
const PURPOSE = "hearth-grant-v1";

const signedText = ({ tenant, kind, id, exp, gen }: SignedGrant): string =>
  `${PURPOSE}\n${canonicalJson({ tenant, kind, id, exp, gen })}`;

/** The first key signs and every key verifies, so old URLs survive a rotation. */
export const grantSigner = (keys: readonly SigningKey[], { hmac, isEqual }: KeyedHash): Signer => {
  const signing = present(keys[0], "a signing key");
  return {
    sign: (grant) => ({
      kid: signing.kid,
      exp: grant.exp,
      gen: grant.gen,
      sig: hmac(signing.secret, signedText(grant)),
    }),
    knows: (kid) => keys.some((key) => key.kid === kid),
    verify: (grant, kid, sig) => {
      const key = keys.find((candidate) => candidate.kid === kid);
      // The texts are compared, not the bytes, because lenient decoding would accept several
      // spellings of one signature.
      return key !== undefined && isEqual(hmac(key.secret, signedText(grant)), sig);
    },
  };
};

/** A UUID of version 8 (RFC 9562: any hash) from the first 128 bits of a hash in hexadecimal. */
const uuidOfHash = (hex: string): string => {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** JSON separates the parts, so that ("ab", "c") and ("a", "bc") give different ids. */
export const derivedId = (parts: readonly string[], sha256Hex: (text: string) => string): string =>
  uuidOfHash(sha256Hex(JSON.stringify(parts)));
