/** The account of a call's project, and EC2's errors as answers. */
import type { Answer, Call } from "#provider/provider.ts";
import { asked } from "#providers/cloud-control/types/asked.ts";
import type { Ec2Account, Ec2Accounts } from "./account.ts";

/** A function of a type, which works in the account of the call's project. */
export const inAccount =
  <Given extends Call, Found extends Answer | null>(
    accounts: Ec2Accounts,
    work: (account: Ec2Account, call: Given) => Promise<Found>,
  ) =>
  (call: Given): Promise<Found | Answer> =>
    asked(async () => work(accounts(call.tenant), call));

export const failed = (reason: string): Answer => ({ state: "failed", reason });

export const isChanged = (
  { properties, previousProperties }: Pick<Call, "properties" | "previousProperties">,
  name: string,
): boolean =>
  JSON.stringify(properties[name] ?? null) !== JSON.stringify(previousProperties?.[name] ?? null);
