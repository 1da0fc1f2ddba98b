/** Fits the settings to the account, and refuses before any call what the account would refuse. */
import { type Account, hasBudgets, hasFunctionUrls } from "./account.ts";
import { NO_FUNCTION_URL, REST_ROUTES } from "./agent-urls.ts";
import { AGENTS, reservable } from "./capacity.ts";
import { BadSettings, type Settings } from "./settings.ts";

export const fitToAccount = (settings: Settings, account: Account): Settings => {
  const complaints = [
    ...concurrencyComplaints(settings, account),
    ...keyComplaints(settings, account),
    ...urlComplaints(settings, account),
    ...budgetComplaints(settings, account),
    ...replicaComplaints(settings, account),
  ];
  if (complaints.length > 0) throw new BadSettings(complaints.join("\n"));
  return {
    ...settings,
    ...(hasFunctionUrls(account.region) ? {} : { agentUrl: REST_ROUTES }),
    hasFunctionUrl: hasFunctionUrls(account.region) && !mayLackUrl(settings, account),
    ...(settings.agentConcurrency === undefined && leftToReserve(settings, account) < AGENTS
      ? { agentConcurrency: null }
      : {}),
    lambdaConcurrency: settings.lambdaConcurrency ?? account.concurrentExecutions,
    isFirst: account.deployed === null,
  };
};

/** The account's other functions have reservations too. The stage's own reservation may stay. */
const leftToReserve = (
  settings: Settings,
  { concurrentExecutions: quota, unreserved, deployed }: Account,
): number => {
  // An older version has no such output. It has reserved what it asks for again.
  const own = deployed === null ? 0 : Number(deployed["ReservedExecutions"] ?? quota - unreserved);
  return Math.min(reservable(settings.lambdaConcurrency ?? quota), reservable(unreserved + own));
};

const concurrencyComplaints = (settings: Settings, account: Account): readonly string[] => {
  const { lambdaConcurrency, agentConcurrency } = settings;
  const { concurrentExecutions: quota, unreserved, region } = account;
  const place = `in ${region} the account runs at most ${quota} executions at once, ${unreserved} of them unreserved`;
  const help = "Service Quotas raises this (L-B99A9384)";
  const left = leftToReserve(settings, account);
  return [
    ...((lambdaConcurrency ?? 0) > quota ? [`lambdaConcurrency: ${place}. ${help}`] : []),
    ...((agentConcurrency ?? 0) > left
      ? [`agentConcurrency: ${place}, so ${left} can be reserved. Use none, or less. ${help}`]
      : []),
  ];
};

/**
 * Data that was encrypted with a key needs this key, so every function keeps the right to use it.
 */
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

/** If the stage never had a function URL, no agent knows one. */
const mayLackUrl = ({ agentUrl }: Settings, { deployed }: Account): boolean =>
  agentUrl === REST_ROUTES && (deployed === null || deployed["FunctionUrl"] === NO_FUNCTION_URL);

const urlComplaints = ({ agentUrl }: Settings, { region }: Account): readonly string[] =>
  hasFunctionUrls(region) || agentUrl === undefined || agentUrl === REST_ROUTES
    ? []
    : [`agentUrl: ${region} has no function URLs, so only rest is possible`];

const budgetComplaints = ({ dailyBudget }: Settings, { region }: Account): readonly string[] =>
  hasBudgets(region) || dailyBudget === undefined
    ? []
    : [`dailyBudget: CloudFormation makes no budgets in ${region}. AWS Budgets does by hand`];

const replicaComplaints = (
  { secretReplicaRegions }: Settings,
  { region }: Account,
): readonly string[] =>
  secretReplicaRegions.includes(region)
    ? [`secretReplicaRegions: the secrets themselves are in ${region}. Name other regions`]
    : [];
