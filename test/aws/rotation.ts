import { randomUUID } from "node:crypto";
import { DescribeSecretCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Functions } from "./functions.ts";

const STEPS = ["createSecret", "setSecret", "testSecret", "finishSecret"] as const;

/**
 * Emulators accept the call that starts a rotation, but they call no function, so this does. Each
 * step runs twice, because Secrets Manager repeats unanswered steps.
 */
export const rotateSecret = async (
  secrets: SecretsManagerClient,
  functions: Functions,
  SecretId: string,
): Promise<void> => {
  const stages = async (): Promise<Readonly<Record<string, readonly string[]>>> =>
    (await secrets.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages ?? {};
  const versionAt = async (stage: string): Promise<string | undefined> =>
    Object.entries(await stages()).find(([, names]) => names.includes(stage))?.[0];
  const before = await versionAt("AWSCURRENT");
  const ClientRequestToken = randomUUID();
  for (const Step of STEPS)
    for (const event of [1, 2].map(() => ({ Step, SecretId, ClientRequestToken })))
      await functions.invoke("RotateSigningKey", event);
  const [current, previous] = [await versionAt("AWSCURRENT"), await versionAt("AWSPREVIOUS")];
  if (current !== ClientRequestToken || previous !== before)
    throw new Error(`after the rotation the versions are ${JSON.stringify(await stages())}`);
};
