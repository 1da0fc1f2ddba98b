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

export interface PollUrls {
  /** As the polled function knows it: with placeholders, since its URL is made after it. */
  readonly template: string;
  /** As all others know it. */
  readonly resolve: (polled: IFunction) => string;
}

export const pollUrls = (settings: Settings, publicUrl: string): PollUrls => {
  const template = pollUrlTemplate(settings);
  if (template === null) return { template: publicUrl, resolve: () => publicUrl };
  const resolve = (polled: IFunction): string => {
    const { url } = polled.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    const host = Fn.select(2, Fn.split("/", url));
    const id = Fn.select(0, Fn.split(".", host));
    return template.replaceAll("{host}", host).replaceAll("{id}", id);
  };
  return { template, resolve };
};
