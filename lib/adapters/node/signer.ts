import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signer } from "#lib/ports/ports.ts";
import { grantSigner, type KeyedHash } from "../local/grant-signer.ts";
import type { SigningKey } from "../local/keys.ts";

const HASH: KeyedHash = {
  hmac: (secret, text) => createHmac("sha256", secret).update(text).digest("base64url"),
  isEqual: (one, other) => {
    const [expected, given] = [Buffer.from(one), Buffer.from(other)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
};

export const hmacSigner = (keys: readonly SigningKey[]): Signer => grantSigner(keys, HASH);
