import { CreateSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { present } from "#lib/errors.ts";
import { serveProvider } from "#provider/http/serve-provider.ts";
import {
  COUNTED,
  type Counted,
  countingProvider,
} from "#test/integration/provider/counting-provider.ts";
import { connectionTo } from "./connection.ts";

export interface PlugIn extends Pick<Counted, "objects" | "calls"> {
  readonly servers: object;
  readonly secret: string;
  close(): Promise<void>;
}

/** The names of stories are needed before anything is started. */
export const NO_PLUG_IN: PlugIn = {
  servers: {},
  secret: "",
  objects: new Map(),
  calls: [],
  close: async () => undefined,
};

export const startPlugIn = async (endpoint: string): Promise<PlugIn> => {
  const secret = `planted-${crypto.randomUUID()}`;
  const { provider, objects, calls } = countingProvider("kept");
  const { url, close } = await serveProvider(provider, { port: 0, secrets: [secret] });
  const client = new SecretsManagerClient(connectionTo(endpoint));
  const named = { Name: `plug-in-${crypto.randomUUID()}`, SecretString: secret };
  const { ARN } = await client.send(new CreateSecretCommand(named));
  client.destroy();
  const servers = { [url]: { secret: present(ARN, "the secret's ARN"), types: [COUNTED] } };
  return { servers, secret, objects, calls, close };
};
