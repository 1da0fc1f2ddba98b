/**
 * Begins a new life of a stage's data after a restore. The signing secret contains the life's
 * number, because every function that begins operations reads this secret at its start.
 */
import { randomInt, randomUUID } from "node:crypto";
import { PutSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { nextSigningText, readSigningText } from "#functions/aws/signing-secret.ts";
import { beginningLife } from "#lib/ports/life.ts";
import { readVersion } from "./copy-secret.ts";

/** The key stays the same. The new version's id becomes another name for it. */
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
