import { present } from "#lib/errors.ts";
import { canonicalJson } from "#lib/json.ts";
import type { SignedGrant, Signer } from "#lib/ports/ports.ts";
import type { SigningKey } from "./keys.ts";

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
