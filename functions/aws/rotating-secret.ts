import { randomBytes } from "node:crypto";
import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { readVersion } from "#functions/aws/secrets.ts";
import { nextSigningText, type VersionKey } from "#functions/aws/signing-secret.ts";
import type { RotatingSecret } from "#functions/rotate-signing-key/handler.ts";

const KEY_BYTES = 48;

export const rotatingSecret = (client: SecretsManagerClient): RotatingSecret => ({
  // Secrets Manager creates the pending version before it calls us, but without a text. So the
  // version's existence does not show that an earlier try has finished.
  createPending: async (secretId, versionId) => {
    const before = await versionsOf(client, secretId);
    try {
      await client.send(
        new PutSecretValueCommand({
          SecretId: secretId,
          ClientRequestToken: versionId,
          SecretString: nextSigningText(randomBytes(KEY_BYTES).toString("base64url"), before),
          VersionStages: ["AWSPENDING"],
        }),
      );
    } catch (error) {
      // The text of a version cannot change, so an existing text is from an earlier try.
      if (!(error instanceof ResourceExistsException)) throw error;
    }
  },
  makeCurrent: async (secretId, versionId) => {
    const current = await currentVersion(client, secretId);
    if (current === versionId) return;
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: secretId,
        VersionStage: "AWSCURRENT",
        MoveToVersionId: versionId,
        ...(current === undefined ? {} : { RemoveFromVersionId: current }),
      }),
    );
  },
});

const versionsOf = async (
  client: SecretsManagerClient,
  secretId: string,
): Promise<readonly VersionKey[]> => {
  const current = await readVersion(client, secretId, "AWSCURRENT");
  const previous = await readVersion(client, secretId, "AWSPREVIOUS");
  return [current, previous].flatMap((found) =>
    found === null ? [] : [{ id: found.id, key: found.text }],
  );
};

const currentVersion = async (
  client: SecretsManagerClient,
  secretId: string,
): Promise<string | undefined> => {
  const found = await client.send(new DescribeSecretCommand({ SecretId: secretId }));
  const versions = Object.entries(found.VersionIdsToStages ?? {});
  return versions.find(([, stages]) => stages.includes("AWSCURRENT"))?.[0];
};
