import { type Client, openClient } from "#client/client.ts";
import { present } from "#lib/errors.ts";
import { hasGo } from "../clients/programs.ts";
import { chromiumPath } from "../web/chromium.ts";
import { type Account, openAccount } from "./account.ts";
import { type Deployment, deploy, makeToken, type Outputs, replay } from "./deployment.ts";
import { type EmulatorKind, type Lacks, lacksInSight } from "./emulators.ts";
import { FOREIGN_PROJECT, type Lane, PROJECT } from "./lane.ts";
import { type Emulator, endProcess } from "./ministack.ts";
import { patientClient } from "./patient-client.ts";
import { restoreStage } from "./restored-stage.ts";
import { workersOf } from "./workers.ts";

const killer =
  ({ functionNames }: Account, emulator: Emulator | null) =>
  (functionName: string) => {
    const physicalName = present(functionNames.get(functionName), `the function ${functionName}`);
    const killed =
      emulator === null
        ? workersOf(physicalName)
        : emulator
            .workers()
            .filter(({ command }) => command.includes(physicalName))
            .map(({ pid }) => pid);
    for (const pid of killed) endProcess(pid);
    return killed.length;
  };

/** Workers of a running emulator may be in containers, where this process cannot kill them. */
const showsWorkers = async ({ functionNames }: Account, url: string): Promise<boolean> => {
  const answer = await fetch(url);
  await answer.body?.cancel();
  return workersOf(present(functionNames.get("Api"), "the function Api")).length > 0;
};

/** MiniStack makes its certificate with openssl, and the wire needs TLS. */
const NO_OPENSSL: Lacks = {
  wire: "openssl is missing, so functions and emulator speak without a wire between them",
  signatures: "openssl is missing, so MiniStack checks no signatures",
};

const NO_GO: Lacks = { Go: "this machine has no Go" };
const NO_CHROMIUM: Lacks = { Chromium: "this machine has no Chromium" };

const lacksOf = async (
  { lacks }: EmulatorKind,
  emulator: Emulator | null,
  inSight: boolean,
): Promise<Lacks> => ({
  ...(emulator === null || emulator.wire ? (inSight ? lacksInSight(lacks) : lacks) : NO_OPENSSL),
  ...((await hasGo()) ? {} : NO_GO),
  ...(chromiumPath() === null ? NO_CHROMIUM : {}),
});

export const openLane = async (
  deployment: Deployment,
  outputs: Outputs,
  emulator: Emulator | null,
  say: Lane["say"],
): Promise<Lane> => {
  const { endpoint, kind } = deployment;
  const account = await openAccount(deployment, outputs);
  const token = await makeToken(deployment, outputs, PROJECT);
  const foreignToken = await makeToken(deployment, outputs, FOREIGN_PROJECT);
  const planted: string[] = [];
  const inSight = emulator !== null || (await showsWorkers(account, outputs.Url));
  const clientOf = (project: string, own: string): Client =>
    patientClient(openClient({ endpoint: outputs.Url, project, token: own }));
  return {
    url: outputs.Url,
    endpoint,
    token,
    foreignToken,
    client: clientOf(PROJECT, token),
    foreignClient: clientOf(FOREIGN_PROJECT, foreignToken),
    openProject: async (project) => {
      const own = await makeToken(deployment, outputs, project);
      planted.push(own);
      return { client: clientOf(project, own), token: own };
    },
    account,
    planted,
    lacks: await lacksOf(kind, emulator, inSight),
    upgrade: async (revision) => {
      emulator?.lookForWorkers();
      await deploy({ ...deployment, revision });
    },
    replay: (...args) => replay(deployment, args),
    restore: () => restoreStage({ deployment, token, say }),
    say,
    ...(inSight ? { killWorkers: killer(account, emulator) } : {}),
    ...(emulator?.wire ? { wire: emulator.wire } : {}),
  };
};
