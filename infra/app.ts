/** `npx cdk deploy`: one stack, checked against AWS's list of good practice. */
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { HearthStack } from "./hearth-stack.ts";
import { BadSettings, readSettings } from "./settings.ts";

try {
  const app = new App();
  new HearthStack(app, readSettings(app));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  if (!(error instanceof BadSettings)) throw error;
  process.stderr.write(`Settings (-c name=value, or the context of cdk.json):\n${error.message}\n`);
  process.exitCode = 1;
}
