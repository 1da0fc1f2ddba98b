/** Opens what the stories need of a deployment. */
import { type Client, openClient } from "#client/client.ts";
import { openAccount } from "./account.ts";
import { type Deployment, deploy, makeToken, type Outputs } from "./deployment.ts";
import { FOREIGN_PROJECT, type Lane, PROJECT } from "./lane.ts";
import { type Emulator, endProcess } from "./ministack.ts";
import { restoreStage } from "./restored-stage.ts";
import { namesOf } from "./stage.ts";

const killer = (stage: string, emulator: Emulator) => (functionName: string) => {
  const killed = emulator
    .workers()
    .filter(({ command }) => namesOf(stage, [command]).length > 0)
    .filter(({ command }) => command.includes(functionName));
  for (const { pid } of killed) endProcess(pid);
  return killed.length;
};

export const openLane = async (
  deployment: Deployment,
  outputs: Outputs,
  emulator: Emulator | null,
  say: Lane["say"],
): Promise<Lane> => {
  const { endpoint, stage } = deployment;
  const token = await makeToken(deployment, outputs, PROJECT);
  const foreignToken = await makeToken(deployment, outputs, FOREIGN_PROJECT);
  const planted: string[] = [];
  const clientOf = (project: string, own: string): Client =>
    openClient({ endpoint: outputs.Url, project, token: own });
  return {
    url: outputs.Url,
    endpoint,
    token,
    polledElsewhere: deployment.agentUrl !== "rest",
    foreignToken,
    client: clientOf(PROJECT, token),
    foreignClient: clientOf(FOREIGN_PROJECT, foreignToken),
    openProject: async (project) => {
      const own = await makeToken(deployment, outputs, project);
      planted.push(own);
      return clientOf(project, own);
    },
    account: await openAccount(deployment, outputs),
    planted,
    upgrade: async (revision) => {
      emulator?.lookForWorkers();
      await deploy({ ...deployment, revision });
    },
    restore: () => restoreStage({ deployment, token, say }),
    say,
    ...(emulator ? { killWorkers: killer(stage, emulator) } : {}),
    ...(emulator?.wire ? { wire: emulator.wire } : {}),
  };
};
