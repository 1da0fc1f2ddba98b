/** The restore of docs/operations.md: keys, a second deployment, then the data. */
import { openClient } from "#client/client.ts";
import { openAccount } from "./account.ts";
import { type Deployment, deploy, destroy, restore } from "./deployment.ts";
import { type Lane, PROJECT, type Restored } from "./lane.ts";
import { patientClient } from "./patient-client.ts";

/** Warm functions keep their first keys, so the restored ones need a second deployment. */
const FRESH_REVISION = "drill-1";
const RESTORED_REVISION = "drill-2";

export interface RestoredFrom {
  readonly deployment: Deployment;
  readonly token: string;
  readonly say: Lane["say"];
}

export const restoreStage = async (from: RestoredFrom): Promise<Restored> => {
  const stage = "drill";
  const fresh = { ...from.deployment, stage, revision: FRESH_REVISION };
  from.say(`deploying ${stage}`);
  const outputs = await deploy(fresh);
  await restore("keys", from.deployment, fresh);
  await deploy({ ...fresh, revision: RESTORED_REVISION });
  await restore("data", from.deployment, fresh);
  from.say(`restored into ${stage}`);
  return {
    client: patientClient(
      openClient({ endpoint: outputs.Url, project: PROJECT, token: from.token }),
    ),
    // An operator's own domain name would lead polls and signals to the new stage too.
    moved: (url) => `${outputs.Url}${url.slice(url.indexOf("/v1/agent/"))}`,
    remove: async () => {
      const account = await openAccount(fresh, outputs);
      await account.emptyBucket();
      account.close();
      await destroy(fresh);
    },
  };
};
