import type { Answer, Call, Failed } from "#provider/provider.ts";
import { asked } from "#providers/cloud-control/types/asked.ts";
import { type Ec2Account, type Ec2Accounts, Impossible } from "./account.ts";

export const inAccount =
  <Given extends Call, Found extends Answer | null>(
    accounts: Ec2Accounts,
    work: (account: Ec2Account, call: Given) => Promise<Found>,
  ) =>
  async (call: Given): Promise<Found | Answer> => {
    try {
      return await asked(async () => work(accounts(call.tenant), call));
    } catch (error) {
      if (error instanceof Impossible) return failed(error.message);
      throw error;
    }
  };

export const failed = (reason: string): Failed => ({ state: "failed", reason });

export const differs = (reason: string): Failed => ({ ...failed(reason), health: "differs" });

export const looksAgain = ({ pace }: Ec2Account, physicalId: string, handle: string): Answer => ({
  state: "waiting",
  physicalId,
  handle,
  pollAfterSeconds: pace.poll,
});
