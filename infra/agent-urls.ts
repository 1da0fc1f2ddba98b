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

/** Where CloudFormation has no `AWS::Lambda::Url`, by cfn-lint's schemas of each region. */
const WITHOUT_FUNCTION_URLS: ReadonlySet<string> = new Set([
  "ap-east-2",
  "ap-south-2",
  "ap-southeast-4",
  "ap-southeast-5",
  "ap-southeast-6",
  "ap-southeast-7",
  "ca-west-1",
  "cn-northwest-1",
  "eu-central-2",
  "eu-south-2",
  "il-central-1",
  "me-central-1",
  "mx-central-1",
  "us-gov-east-1",
  "us-gov-west-1",
]);

/** A region that is not known counts as one of the usual ones. */
export const hasFunctionUrls = (region: string): boolean => !WITHOUT_FUNCTION_URLS.has(region);

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
const keepsFunctionUrl = ({ region, emulator }: Settings): boolean =>
  hasFunctionUrls(region) && !emulator;

export interface PollUrls {
  /** As the polled function knows it: with placeholders, since its URL is made after it. */
  readonly template: string;
  /** As all others know it. */
  readonly resolve: (polled: IFunction) => string;
}

export const pollUrls = (settings: Settings, publicUrl: string): PollUrls => {
  const template = pollUrlTemplate(settings);
  const resolve = (polled: IFunction): string => {
    if (template === null && !keepsFunctionUrl(settings)) return publicUrl;
    const { url } = polled.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    if (template === null) return publicUrl;
    const host = Fn.select(2, Fn.split("/", url));
    const id = Fn.select(0, Fn.split(".", host));
    return template.replaceAll("{host}", host).replaceAll("{id}", id);
  };
  return { template: template ?? publicUrl, resolve };
};
