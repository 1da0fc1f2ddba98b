/** The signature of a request. Both sides have the same secret, and it never travels. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface SignedParts {
  readonly method: string;
  /** Below the address of the provider: it begins with /v1. */
  readonly path: string;
  /** As it stands in the header. */
  readonly time: string;
  readonly body: string | Uint8Array;
}

export const signatureOf = (secret: string, { method, path, time, body }: SignedParts): string => {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const text = [method, path, time, bodyHash].join("\n");
  return createHmac("sha256", secret).update(text).digest("hex");
};

/** How long the comparison takes tells nothing about the signature. */
export const isSignedBy = (secret: string, given: string, parts: SignedParts): boolean => {
  const wanted = Buffer.from(signatureOf(secret, parts));
  const found = Buffer.from(given);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
};
