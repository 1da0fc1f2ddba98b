/**
 * Copies the text of a secret to another stage's secret, with the ids and the order of the last two
 * versions. A signed URL names its key by the version's id.
 */
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

interface Version {
  readonly id: string;
  readonly text: string;
}

type VersionStage = "AWSCURRENT" | "AWSPREVIOUS";

export const readVersion = async (
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
