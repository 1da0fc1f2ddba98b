/**
 * The four steps of a Secrets Manager rotation. Only two do something: there is nobody to tell of the
 * new key (every worker reads the secret itself), and a random key needs no trying out.
 */
import middy from "@middy/core";
import * as z from "zod";

const stepSchema = z.object({
  Step: z.enum(["createSecret", "setSecret", "testSecret", "finishSecret"]),
  SecretId: z.string(),
  ClientRequestToken: z.string(),
});

/** The service's calls that a rotation needs; each is idempotent by its version. */
export interface RotatingSecret {
  /** A new random text as the pending version; nothing where that version is there already. */
  createPending(secretId: string, versionId: string): Promise<void>;
  /** Makes the version the current one, and with that the current one the previous. */
  makeCurrent(secretId: string, versionId: string): Promise<void>;
}

export const handler = (secret: RotatingSecret) =>
  middy(async (event: unknown): Promise<void> => {
    const { Step, SecretId, ClientRequestToken } = stepSchema.parse(event);
    if (Step === "createSecret") await secret.createPending(SecretId, ClientRequestToken);
    if (Step === "finishSecret") await secret.makeCurrent(SecretId, ClientRequestToken);
  });
