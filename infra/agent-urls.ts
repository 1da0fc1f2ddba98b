/**
 * The URL that agents poll: a Lambda function URL (ADR 16), or the REST API's routes. The routes
 * exist in any case, for agents that have an older URL.
 */
import { Fn } from "aws-cdk-lib";
import { FunctionUrlAuthType, type IFunction } from "aws-cdk-lib/aws-lambda";
import type { Settings } from "./settings.ts";

export const REST_ROUTES = "rest";
const FUNCTION_URL = "https://{host}";

const pollUrlTemplate = ({ agentUrl, publicUrl }: Settings): string | null => {
  // An operator who set a publicUrl may have servers that can reach only that name.
  const wanted = agentUrl ?? (publicUrl === undefined ? FUNCTION_URL : REST_ROUTES);
  return wanted === REST_ROUTES ? null : wanted;
};

/**
 * A deleted function URL never returns, and agents that know only this URL would be lost for good.
 * So the URL stays in the template when agents get another one: they learn the new URL by polling
 * the old one.
 */
const keepsFunctionUrl = ({ hasFunctionUrl, emulator }: Settings): boolean =>
  hasFunctionUrl && !emulator;

/** The output of a stage without a function URL. Such a stage may stay without one. */
export const NO_FUNCTION_URL = "none";

export interface PollUrls {
  /**
   * The URL for the polled function, with placeholders, because its own URL is created after it.
   */
  readonly template: string;
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
