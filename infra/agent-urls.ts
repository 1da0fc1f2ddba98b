/**
 * The URL that agents poll: a Lambda function URL (ADR 16), or the REST API's routes. Those stay
 * for agents that have an older URL.
 */
import { Fn } from "aws-cdk-lib";
import { FunctionUrlAuthType, type IFunction } from "aws-cdk-lib/aws-lambda";
import type { Settings } from "./settings.ts";

/** The setting for the REST API's routes. */
export const REST_ROUTES = "rest";
/** Without a name of their own, agents poll AWS's. */
const FUNCTION_URL = "https://{host}";

/** `{host}` and `{id}` are those of the function's URL. Null: agents use the REST API. */
const pollUrlTemplate = ({ agentUrl, publicUrl }: Settings): string | null => {
  // Servers may reach nothing but the operator's own name, so it stays theirs.
  const wanted = agentUrl ?? (publicUrl === undefined ? FUNCTION_URL : REST_ROUTES);
  return wanted === REST_ROUTES ? null : wanted;
};

/**
 * A function URL that is deleted never comes back, and agents that know it are cut off for good. So
 * it stays in the template when agents get another one: they learn the new one by polling the old.
 */
const keepsFunctionUrl = ({ hasFunctionUrl, emulator }: Settings): boolean =>
  hasFunctionUrl && !emulator;

/** The output of a stage that has no function URL, so none can be lost. */
export const NO_FUNCTION_URL = "none";

export interface PollUrls {
  /** As the polled function knows it: with placeholders, since its URL is made after it. */
  readonly template: string;
  /** As all others know it, with the function URL for the stage's outputs. */
  readonly resolve: (polled: IFunction) => { readonly base: string; readonly functionUrl: string };
}

export const pollUrls = (settings: Settings, publicUrl: string): PollUrls => {
  const template = pollUrlTemplate(settings);
  const resolve: PollUrls["resolve"] = (polled) => {
    if (template === null && !keepsFunctionUrl(settings)) {
      return { base: publicUrl, functionUrl: NO_FUNCTION_URL };
    }
    const { url } = polled.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    if (template === null) return { base: publicUrl, functionUrl: url };
    const host = Fn.select(2, Fn.split("/", url));
    const id = Fn.select(0, Fn.split(".", host));
    const base = template.replaceAll("{host}", host).replaceAll("{id}", id);
    return { base, functionUrl: url };
  };
  return { template: template ?? publicUrl, resolve };
};
