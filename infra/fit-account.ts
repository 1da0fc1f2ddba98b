/** The settings as the account allows them. What it would refuse is refused before any call. */
import type { Account } from "./account.ts";
import { reservable } from "./concurrency.ts";
import { BadSettings, type Settings } from "./settings.ts";

/** Throws BadSettings. */
export const fitToAccount = (settings: Settings, account: Account): Settings => {
  const complaints = [...concurrencyComplaints(settings, account)];
  if (complaints.length > 0) throw new BadSettings(complaints.join("\n"));
  return {
    ...settings,
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
