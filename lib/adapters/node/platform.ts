import { createHmac, hash, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import type { Clock, Ids, Random, Signer } from "#lib/ports/ports.ts";
import { derivedId, grantSigner, type KeyedHash, type SigningKey } from "../local/crypto.ts";

const sha256Hex = (text: string): string => hash("sha256", text);

export const uuidIds = (): Ids => ({
  fresh: () => randomUUID(),
  derive: (...parts) => derivedId(parts, sha256Hex),
});

export const cryptoRandom = (): Random => ({ below: (limit) => randomInt(limit) });

export const systemClock = (): Clock => ({ now: () => Date.now() });

const HASH: KeyedHash = {
  hmac: (secret, text) => createHmac("sha256", secret).update(text).digest("base64url"),
  isEqual: (one, other) => {
    const [expected, given] = [Buffer.from(one), Buffer.from(other)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
};

export const hmacSigner = (keys: readonly SigningKey[]): Signer => grantSigner(keys, HASH);
