/** A secret that Secrets Manager rotates through us, with the service's own calls. */
import { randomBytes } from "node:crypto";
import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import type { RotatingSecret } from "#functions/rotate-signing-key/handler.ts";

const KEY_BYTES = 48;

export const rotatingSecret = (client: SecretsManagerClient): RotatingSecret => ({
  // The service makes the pending version before it calls us, but without a text. So its existence
  // says nothing.
  createPending: async (secretId, versionId) => {
    try {
      await client.send(
        new PutSecretValueCommand({
          SecretId: secretId,
          ClientRequestToken: versionId,
          SecretString: randomBytes(KEY_BYTES).toString("base64url"),
          VersionStages: ["AWSPENDING"],
        }),
      );
    } catch (error) {
      // The text of a version never changes. An existing one is from an earlier try.
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

const currentVersion = async (
  client: SecretsManagerClient,
  secretId: string,
): Promise<string | undefined> => {
  const found = await client.send(new DescribeSecretCommand({ SecretId: secretId }));
  const versions = Object.entries(found.VersionIdsToStages ?? {});
  return versions.find(([, stages]) => stages.includes("AWSCURRENT"))?.[0];
};
