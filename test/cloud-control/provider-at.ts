import type { Call, JsonObject, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { openAccount } from "#providers/cloud-control/account/aws-account.ts";
import {
  type CloudControlType,
  cloudControlProvider,
} from "#providers/cloud-control/cloud-control.ts";
import { callOf as hostsCall } from "../contract/provider-call.ts";
import { environmentFor, type RunningDouble } from "./cloud-control-double.ts";

export const ROLE = {
  role_arn: "arn:aws:iam::123456789012:role/hearth-demo",
  region: "eu-central-1",
  external_id: "demo-7f",
} as const;

const AGAIN_SECONDS = 0.02;

export const typeAt = async ({ url }: RunningDouble, name: string): Promise<CloudControlType> => {
  Object.assign(process.env, environmentFor(url));
  const account = await openAccount("demo", ROLE, AGAIN_SECONDS);
  const type = cloudControlProvider(() => account).type(name);
  if (type === null) throw new Error(`there is no type ${name}`);
  return type;
};

export const pluginAt = async (running: RunningDouble, name: string): Promise<Provider> => {
  const { mustReplace: _, ...type } = await typeAt(running, name);
  return readProvider({ provider: 2, name: "aws", types: { [name]: type } });
};

export const callOf = (token: string, properties: JsonObject, more: Partial<Call> = {}): Call =>
  hostsCall(token, { properties, ...more });
