/** The settings as the account allows them. What it would refuse is refused before any call. */
import type { Account } from "./account.ts";
import { hasFunctionUrls, NO_FUNCTION_URL, REST_ROUTES } from "./agent-urls.ts";
import { reservable } from "./concurrency.ts";
import { BadSettings, type Settings } from "./settings.ts";

/** Throws BadSettings. */
export const fitToAccount = (settings: Settings, account: Account): Settings => {
  const complaints = [
    ...concurrencyComplaints(settings, account),
    ...keyComplaints(settings, account),
    ...urlComplaints(settings, account),
  ];
  if (complaints.length > 0) throw new BadSettings(complaints.join("\n"));
  return {
    ...settings,
    ...(hasFunctionUrls(account.region) ? {} : { agentUrl: REST_ROUTES }),
    hasFunctionUrl: hasFunctionUrls(account.region) && !mayLackUrl(settings, account),
    lambdaConcurrency: settings.lambdaConcurrency ?? account.concurrentExecutions,
    isFirst: account.deployed === null,
  };
};

const concurrencyComplaints = (
  { lambdaConcurrency, agentConcurrency }: Settings,
  { concurrentExecutions: quota, region }: Account,
): readonly string[] => {
  const place = `in ${region} the account runs at most ${quota} executions at once`;
  const help = "Service Quotas raises this (L-B99A9384)";
  const left = reservable(lambdaConcurrency ?? quota);
  return [
    ...((lambdaConcurrency ?? 0) > quota ? [`lambdaConcurrency: ${place}. ${help}`] : []),
    ...((agentConcurrency ?? 0) > left
      ? [`agentConcurrency: ${place}, so ${left} can be reserved. Use none, or less. ${help}`]
      : []),
  ];
};

/** What was sealed with a key opens only with this key, so every function keeps the right to it. */
const keyComplaints = (
  { customerKey, kmsKeyArn, formerKmsKeyArns }: Settings,
  { deployed }: Account,
): readonly string[] => {
  const { CustomerKeyArn = "", KmsKeyArns = "" } = deployed ?? {};
  const used = [...(customerKey ? [] : [CustomerKeyArn]), ...KmsKeyArns.split(",")];
  const known = new Set(["", kmsKeyArn, ...formerKmsKeyArns]);
  return used
    .filter((arn) => !known.has(arn))
    .map(
      (arn) =>
        `formerKmsKeyArns: the stage has stored data under ${arn}, which only this key opens. Name it here, or leave customerKey and kmsKeyArn as they were`,
    );
};

/** No agent knows a function URL that was never there. */
const mayLackUrl = ({ agentUrl }: Settings, { deployed }: Account): boolean =>
  agentUrl === REST_ROUTES && (deployed === null || deployed["FunctionUrl"] === NO_FUNCTION_URL);

const urlComplaints = ({ agentUrl }: Settings, { region }: Account): readonly string[] =>
  hasFunctionUrls(region) || agentUrl === undefined || agentUrl === REST_ROUTES
    ? []
    : [`agentUrl: ${region} has no function URLs, so only rest is possible`];
