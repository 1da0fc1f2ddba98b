/**
 * The provider of EC2 on a double in this process, which answers the commands of AWS's client
 * before they reach the network. The lane `ec2` uses moto, which speaks the protocol.
 */
import { readProperties } from "#provider/read-value.ts";
import { ec2Provider } from "#providers/ec2/ec2-provider.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";
import { answerOf } from "./commands.ts";
import { freshState } from "./state.ts";

const PACE = { again: 0.01, poll: 0.01, settle: 0.01 };
const SETTINGS = { images: {}, flavors: { small: "t3.small", large: "t3.large" } };

export const openEc2Double = async () => {
  const state = freshState();
  const account = await openEc2("demo", ROLE, SETTINGS, PACE);
  account.ec2.middlewareStack.add(
    (_next, { commandName = "" }) =>
      async ({ input }) => {
        // JSON leaves undefined members out, as the SDK does.
        const given = readProperties(JSON.stringify(input)) ?? {};
        const output = { $metadata: {}, ...answerOf(state, commandName, given) };
        return { output, response: {} };
      },
    { step: "initialize", priority: "high" },
  );
  const bootUserData = async () => new Uint8Array();
  const provider = ec2Provider({ accounts: () => account, settings: [SETTINGS], bootUserData });
  return { provider, state };
};
