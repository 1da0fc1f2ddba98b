import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { askAccount, stackNameOf } from "./account.ts";
import { fitToAccount } from "./fit-account.ts";
import { HearthStack } from "./hearth-stack.ts";
import { BadSettings, readSettings, type Settings } from "./settings.ts";

/**
 * The CDK sets these variables if it has found credentials. Without them the account is not asked.
 */
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;

const fitted = async (settings: Settings): Promise<Settings> => {
  if (account === undefined || region === undefined || settings.emulator) return settings;
  const answer = await askAccount(stackNameOf(settings), region).catch((error: unknown) => {
    process.stderr.write(`WARNING: The account ${account} was not asked: ${String(error)}\n`);
    return null;
  });
  return answer === null ? settings : fitToAccount(settings, answer);
};

try {
  const app = new App();
  new HearthStack(app, await fitted(readSettings(app)));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  if (!(error instanceof BadSettings)) throw error;
  process.stderr.write(`Settings (-c name=value, or the context of cdk.json):\n${error.message}\n`);
  process.exitCode = 1;
}
