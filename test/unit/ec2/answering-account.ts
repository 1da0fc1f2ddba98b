import { present } from "#lib/errors.ts";
import type { ProvidedType } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";

const PACE = { again: 0.01, poll: 0.01, settle: 0.01 };

export type Answers = Readonly<Record<string, object>>;

export const typeAnswering = async (
  name: string,
  answers: Answers,
  flavors: Readonly<Record<string, string>> = {},
  asked: string[] = [],
): Promise<ProvidedType> => {
  const settings = { images: {}, flavors };
  const account = await openEc2("demo", ROLE, settings, PACE);
  account.ec2.middlewareStack.add(
    (_next, { commandName = "" }) =>
      async () => {
        asked.push(commandName);
        const { [commandName]: output } = answers;
        if (output === undefined) throw new Refused("UnsupportedOperation", commandName);
        return { output: { $metadata: {}, ...output }, response: {} };
      },
    { step: "initialize", priority: "high" },
  );
  const bootUserData = async () => new Uint8Array();
  const provider = ec2Provider({ accounts: () => account, settings: [settings], bootUserData });
  return present(provider.types[name], name);
};
