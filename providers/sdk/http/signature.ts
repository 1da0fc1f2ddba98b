import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface SignedParts {
  readonly method: string;
  readonly path: string;
  readonly time: string;
  readonly body: string | Uint8Array;
}

export const signatureOf = (secret: string, { method, path, time, body }: SignedParts): string => {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const text = [method, path, time, bodyHash].join("\n");
  return createHmac("sha256", secret).update(text).digest("hex");
};

/** Compares in constant time, so that an attacker cannot guess the signature digit by digit. */
export const isSignedBy = (secret: string, given: string, parts: SignedParts): boolean => {
  const wanted = Buffer.from(signatureOf(secret, parts));
  const found = Buffer.from(given);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
};
