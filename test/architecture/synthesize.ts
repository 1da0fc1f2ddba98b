import { Template } from "aws-cdk-lib/assertions";
import type { Account } from "../../infra/account.ts";
import { fitToAccount } from "../../infra/fit-account.ts";
import { HearthStack } from "../../infra/hearth-stack.ts";
import { readSettings } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";

/** The limit allows for a machine that is busy with other tests. */
export const SYNTHESIS_MS_MAX = 120_000;

/** The AWS lane tests the bundled functions. These tests cover only what surrounds them. */
const UNBUNDLED = { "aws:cdk:bundling-stacks": [] };

type Context = Readonly<Record<string, unknown>>;

export const appWith = (context: Context = {}, account?: Account) => {
  const app = openApp({ ...UNBUNDLED, ...context });
  const settings = readSettings(app);
  const fitted = account === undefined ? settings : fitToAccount(settings, account);
  return { app, stack: new HearthStack(app, fitted) };
};

export const synthesize = (context: Context = {}): Template =>
  Template.fromStack(appWith(context).stack);
