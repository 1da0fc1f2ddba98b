/** `npx cdk deploy`: one stack, checked against AWS's own list of good practice. */
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { HearthStack } from "./hearth-stack.ts";
import { readSettings } from "./settings.ts";

const app = new App();
new HearthStack(app, readSettings(app));
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
