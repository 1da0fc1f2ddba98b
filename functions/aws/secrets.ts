/**
 * Keys from Secrets Manager. The secrets are random texts, and the keys are derived here. No secret
 * text is logged; errors contain only the secret's name.
 */
import { hkdfSync } from "node:crypto";
import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { logger } from "#functions/logger.ts";
import { ENCRYPTION_KEY_BYTES, type SigningKey } from "#lib/adapters/local/keys.ts";
import { hmacSigner } from "#lib/adapters/node/signer.ts";
import { Bug } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { Signer } from "#lib/ports/signer.ts";

/** How often a warm worker looks for new keys. */
const KEYS_AGE_MS_MAX = 300_000;
/** How soon it looks again after the secret could not be read. */
const KEYS_RETRY_MS = 30_000;
/**
 * A new key signs only after every warm worker has had two looks. So no URL reaches a worker that
 * does not know its key.
 */
const NEW_KEY_MS_MIN = 2 * KEYS_AGE_MS_MAX;

interface SecretVersion {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
}

type SecretStage = "AWSCURRENT" | "AWSPREVIOUS";

/** Null if the secret has no such version: before its first rotation there is no previous one. */
const readVersion = async (
  client: SecretsManagerClient,
  secret: string,
  stage: SecretStage,
): Promise<SecretVersion | null> => {
  try {
    const found = await client.send(
      new GetSecretValueCommand({ SecretId: secret, VersionStage: stage }),
    );
    if (found.VersionId === undefined || found.SecretString === undefined)
      throw new Bug(`the secret ${secret} has no text`);
    const createdAt = found.CreatedDate?.getTime() ?? 0;
    return { id: found.VersionId, text: found.SecretString, createdAt };
  } catch (error) {
    const isAbsent = error instanceof Error && error.name === "ResourceNotFoundException";
    if (isAbsent && stage === "AWSPREVIOUS") return null;
    throw error;
  }
};

const signingKey = ({ id, text }: SecretVersion): SigningKey => ({
  kid: id,
  secret: Buffer.from(text, "utf8"),
});

/** The first key signs. If it is too new to be known everywhere, its predecessor still signs. */
export const orderKeys = (
  current: SecretVersion,
  previous: SecretVersion | null,
  now: number,
): readonly SigningKey[] => {
  if (previous === null) return [signingKey(current)];
  const isKnown = now - current.createdAt >= NEW_KEY_MS_MIN;
  return isKnown
    ? [signingKey(current), signingKey(previous)]
    : [signingKey(previous), signingKey(current)];
};

export interface RotatingSigner {
  readonly signer: Signer;
  /**
   * Reads the keys again when they are old; await it before each event. If the secret cannot be
   * read, the cached keys stay valid until a key that they lack may sign. Then it throws.
   */
  refresh(): Promise<void>;
}

/** Two generations are valid at once: the secret's current version and the one before it. */
export const openSigner = async (
  client: SecretsManagerClient,
  secret: string,
  clock: Clock,
): Promise<RotatingSigner> => {
  const read = async (): Promise<{ readonly inner: Signer; readonly readAt: number }> => {
    const [current, previous] = await Promise.all([
      readVersion(client, secret, "AWSCURRENT"),
      readVersion(client, secret, "AWSPREVIOUS"),
    ]);
    if (current === null) throw new Bug(`the secret ${secret} has no current version`);
    const readAt = clock.now();
    return { inner: hmacSigner(orderKeys(current, previous, readAt)), readAt };
  };
  let keys = await read();
  let nextLookAt = keys.readAt + KEYS_AGE_MS_MAX;
  return {
    signer: {
      sign: (grant) => keys.inner.sign(grant),
      knows: (kid) => keys.inner.knows(kid),
      verify: (grant, kid, sig) => keys.inner.verify(grant, kid, sig),
    },
    refresh: async () => {
      if (clock.now() < nextLookAt) return;
      try {
        keys = await read();
        nextLookAt = keys.readAt + KEYS_AGE_MS_MAX;
      } catch (error) {
        const now = clock.now();
        if (now - keys.readAt >= NEW_KEY_MS_MIN) throw error;
        logger.error("the signing keys could not be read again", error, { secret });
        nextLookAt = now + KEYS_RETRY_MS;
      }
    },
  };
};

/** The current text of a secret that somebody else has made. */
export const readSecretText = async (
  client: SecretsManagerClient,
  secret: string,
): Promise<string> => {
  const current = await readVersion(client, secret, "AWSCURRENT");
  if (current === null) throw new Bug(`the secret ${secret} has no current version`);
  return current.text.trim();
};

/**
 * The master key of the encryption at rest. It is never rotated: without it the sealed fields of
 * the tables are lost.
 */
export const readMasterKey = async (
  client: SecretsManagerClient,
  secret: string,
): Promise<Uint8Array> => {
  const current = await readVersion(client, secret, "AWSCURRENT");
  if (current === null) throw new Bug(`the secret ${secret} has no current version`);
  return new Uint8Array(
    hkdfSync("sha256", current.text, "hearth", "encryption-master", ENCRYPTION_KEY_BYTES),
  );
};
