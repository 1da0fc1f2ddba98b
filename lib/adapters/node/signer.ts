import { createHmac, timingSafeEqual } from "node:crypto";
import { present } from "#lib/errors.ts";
import { canonicalJson } from "#lib/json.ts";
import type { SignedGrant, Signer } from "#lib/ports/signer.ts";
import type { SigningKey } from "./keys.ts";

/** Part of the signed text, so a signature from another use of the key is not valid here. */
const PURPOSE = "hearth-grant-v1";

const signatureOf = (key: SigningKey, { tenant, kind, id, exp, gen }: SignedGrant): string =>
  createHmac("sha256", key.secret)
    .update(`${PURPOSE}\n${canonicalJson({ tenant, kind, id, exp, gen })}`)
    .digest("base64url");

/**
 * HMAC-SHA256, base64url. The first key signs and every key verifies, so old URLs survive a
 * rotation.
 */
export const hmacSigner = (keys: readonly SigningKey[]): Signer => {
  const signing = present(keys[0], "a signing key");
  return {
    sign: (grant) => ({
      kid: signing.kid,
      exp: grant.exp,
      gen: grant.gen,
      sig: signatureOf(signing, grant),
    }),
    knows: (kid) => keys.some((key) => key.kid === kid),
    verify: (grant, kid, sig) => {
      const key = keys.find((candidate) => candidate.kid === kid);
      if (!key) return false;
      // Compares the texts instead of the bytes. Lenient decoding would accept several spellings of
      // one signature.
      const expected = Buffer.from(signatureOf(key, grant));
      const given = Buffer.from(sig);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};
