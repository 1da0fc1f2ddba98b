/**
 * The four steps of a Secrets Manager rotation, two of which do nothing. Workers read the secret
 * themselves, so nobody has to be told the new key, and a random key needs no test.
 */
import * as z from "zod";

const stepSchema = z.object({
  Step: z.enum(["createSecret", "setSecret", "testSecret", "finishSecret"]),
  SecretId: z.string(),
  ClientRequestToken: z.string(),
});

/** The calls of Secrets Manager that a rotation needs. Each is idempotent by the version's id. */
export interface RotatingSecret {
  /** Stores a new random key and all former ones as the pending version, unless that exists. */
  createPending(secretId: string, versionId: string): Promise<void>;
  makeCurrent(secretId: string, versionId: string): Promise<void>;
}

const nothing = async (): Promise<void> => {};

type Step = z.infer<typeof stepSchema>["Step"];

const STEPS: Readonly<
  Record<Step, (secret: RotatingSecret, secretId: string, versionId: string) => Promise<void>>
> = {
  createSecret: (secret, secretId, versionId) => secret.createPending(secretId, versionId),
  setSecret: nothing,
  testSecret: nothing,
  finishSecret: (secret, secretId, versionId) => secret.makeCurrent(secretId, versionId),
};

export const handler =
  (secret: RotatingSecret) =>
  async (event: unknown): Promise<void> => {
    const { Step, SecretId, ClientRequestToken } = stepSchema.parse(event);
    await STEPS[Step](secret, SecretId, ClientRequestToken);
  };
