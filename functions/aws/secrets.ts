/**
 * Derives keys from random texts in Secrets Manager. No secret text is logged: errors contain only
 * the secret's name.
 */
import { hkdfSync } from "node:crypto";
import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { readSigningText } from "#functions/aws/signing-secret.ts";
import { logger } from "#functions/logger.ts";
import { ENCRYPTION_KEY_BYTES, type SigningKey } from "#lib/adapters/local/crypto.ts";
import { hmacSigner } from "#lib/adapters/node/platform.ts";
import { Bug } from "#lib/errors.ts";
import type { Clock, Signer } from "#lib/ports/ports.ts";

const KEYS_AGE_MS_MAX = 300_000;
const KEYS_RETRY_MS = 30_000;
/**
 * A new key signs only after every warm worker has had time to read the keys twice. So no URL
 * reaches a worker that does not know its key.
 */
const NEW_KEY_MS_MIN = 2 * KEYS_AGE_MS_MAX;

export interface SecretVersion {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
}

type SecretStage = "AWSCURRENT" | "AWSPREVIOUS";

export const readVersion = async (
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

const keysOf = ({ id, text }: SecretVersion): readonly SigningKey[] => {
  const { key, former } = readSigningText(text);
  return [{ id, key }, ...former].map((version) => ({
    kid: version.id,
    secret: Buffer.from(version.key, "utf8"),
  }));
};

/**
 * The first key signs, and all of them verify. While the current version is too new to be known to
 * all workers, its predecessor still signs.
 */
export const orderKeys = (
  current: SecretVersion,
  previous: SecretVersion | null,
  now: number,
): readonly SigningKey[] => {
  const keys = keysOf(current);
  if (previous === null) return keys;
  // After a leak, an operator's new version does not list the previous one.
  const [former] = keysOf(previous);
  const others = keys.filter(({ kid }) => kid !== previous.id);
  const before = former === undefined ? [] : [former];
  const isKnown = now - current.createdAt >= NEW_KEY_MS_MIN;
  return isKnown ? [...others.slice(0, 1), ...before, ...others.slice(1)] : [...before, ...others];
};

export interface RotatingSigner {
  readonly signer: Signer;
  readonly life: number;
  /**
   * Reads the keys again when they are old. Await it before each event. If the secret cannot be
   * read, the cached keys stay in use until a key that they lack could sign. After that it throws.
   */
  refresh(): Promise<void>;
}

export const openSigner = async (
  client: SecretsManagerClient,
  secret: string,
  clock: Clock,
): Promise<RotatingSigner> => {
  const read = async () => {
    const [current, previous] = await Promise.all([
      readVersion(client, secret, "AWSCURRENT"),
      readVersion(client, secret, "AWSPREVIOUS"),
    ]);
    if (current === null) throw new Bug(`the secret ${secret} has no current version`);
    const readAt = clock.now();
    const { life } = readSigningText(current.text);
    return { inner: hmacSigner(orderKeys(current, previous, readAt)), readAt, life };
  };
  let keys = await read();
  let nextLookAt = keys.readAt + KEYS_AGE_MS_MAX;
  return {
    life: keys.life,
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

export const readSecretText = async (
  client: SecretsManagerClient,
  secret: string,
): Promise<string> => {
  const current = await readVersion(client, secret, "AWSCURRENT");
  if (current === null) throw new Bug(`the secret ${secret} has no current version`);
  return current.text.trim();
};

/**
 * The master key of the encryption at rest. It is never rotated: without it the encrypted fields of
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
