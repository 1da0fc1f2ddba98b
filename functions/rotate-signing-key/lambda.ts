/** Lambda entry: rotates the secret through Secrets Manager's own calls. */
import { randomBytes } from "node:crypto";
import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { clientOptions } from "#functions/cloud/client-options.ts";
import { lambdaEntry } from "#functions/cloud/entry.ts";
import { ENVIRONMENTS, parsePlatform } from "#functions/cloud/environment.ts";
import { handler as rotation } from "./handler.ts";

const KEY_BYTES = 48;

ENVIRONMENTS["rotate-signing-key"].parse(process.env);
const client = new SecretsManagerClient(clientOptions(parsePlatform(process.env)));

const stagesOf = async (secretId: string) => {
  const found = await client.send(new DescribeSecretCommand({ SecretId: secretId }));
  return found.VersionIdsToStages ?? {};
};

const versionAt = (stages: Readonly<Record<string, readonly string[]>>, stage: string) =>
  Object.entries(stages).find(([, names]) => names.includes(stage))?.[0];

export const handler = lambdaEntry(
  rotation({
    createPending: async (secretId, versionId) => {
      if (versionAt(await stagesOf(secretId), "AWSPENDING") === versionId) return;
      const SecretString = randomBytes(KEY_BYTES).toString("base64url");
      await client.send(
        new PutSecretValueCommand({
          SecretId: secretId,
          ClientRequestToken: versionId,
          SecretString,
          VersionStages: ["AWSPENDING"],
        }),
      );
    },
    makeCurrent: async (secretId, versionId) => {
      const current = versionAt(await stagesOf(secretId), "AWSCURRENT");
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
  }),
);
