/**
 * Copies the text of a secret to another stage's secret, with the ids and the order of the last two
 * versions. A signed URL names its key by the version's id.
 */
import { randomInt, randomUUID } from "node:crypto";
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { nextSigningText, readSigningText } from "#functions/aws/signing-secret.ts";
import { beginningLife } from "#lib/ports/life.ts";

interface Version {
  readonly id: string;
  readonly text: string;
}

type VersionStage = "AWSCURRENT" | "AWSPREVIOUS";

const readVersion = async (
  secrets: SecretsManagerClient,
  SecretId: string,
  VersionStage: VersionStage,
): Promise<Version | null> => {
  try {
    const found = await secrets.send(new GetSecretValueCommand({ SecretId, VersionStage }));
    const { VersionId: id, SecretString: text } = found;
    return id === undefined || text === undefined ? null : { id, text };
  } catch (error) {
    if (VersionStage === "AWSPREVIOUS" && error instanceof ResourceNotFoundException) return null;
    throw error;
  }
};

export const copySecret = async (
  secrets: SecretsManagerClient,
  from: string,
  to: string,
): Promise<number> => {
  const current = await readVersion(secrets, from, "AWSCURRENT");
  if (current === null) throw new Error(`the secret ${from} has no text`);
  if ((await readVersion(secrets, to, "AWSCURRENT"))?.text === current.text) return 0;
  const previous = await readVersion(secrets, from, "AWSPREVIOUS");
  const versions = previous === null ? [current] : [previous, current];
  for (const { id, text } of versions) {
    await secrets.send(
      new PutSecretValueCommand({ SecretId: to, ClientRequestToken: id, SecretString: text }),
    );
  }
  return versions.length;
};

/**
 * Begins a new life of a stage's data after a restore. The signing secret contains the life's
 * number, because every function that begins operations reads this secret at its start. The key
 * stays the same. The new version's id becomes another name for it.
 */
export const beginLife = async (
  secrets: SecretsManagerClient,
  SecretId: string,
  now: number,
): Promise<void> => {
  const current = await readVersion(secrets, SecretId, "AWSCURRENT");
  if (current === null) throw new Error(`the secret ${SecretId} has no text`);
  const previous = await readVersion(secrets, SecretId, "AWSPREVIOUS");
  const before = [current, ...(previous === null ? [] : [previous])].map(({ id, text }) => ({
    id,
    key: text,
  }));
  const { key, life: former } = readSigningText(current.text);
  const life = beginningLife(now, (below) => randomInt(below), former);
  await secrets.send(
    new PutSecretValueCommand({
      SecretId,
      ClientRequestToken: randomUUID(),
      SecretString: nextSigningText(key, before, life),
    }),
  );
};
