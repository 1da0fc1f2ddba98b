/** Deploys a reduced clone on MiniStack, and makes a stack there. The clients are this clone's. */
import { equal } from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "#client/client.ts";
import { ROOT } from "../architecture/import-rules.ts";
import { bootstrap, type Deployment, deploy, makeToken } from "../aws/deployment.ts";
import { MINISTACK } from "../aws/emulators.ts";
import { create, ends, FIRST_REVISION, hot, PROJECT, remove, testResource } from "../aws/lane.ts";
import { startMinistack } from "../aws/ministack.ts";
import { noteDeployment } from "../aws/pace.ts";
import { patientClient } from "../aws/patient-client.ts";
import type { ReducedClone } from "./reduced-clone.ts";

const LINES_SHOWN_MAX = 40;
const DATA = join(ROOT, ".data");
const TEMPLATE = hot({
  first: testResource({ value: "one" }),
  second: testResource({ value: { get_attr: ["first", "output"] } }),
});

const liveOfStack = async (deployment: Deployment): Promise<void> => {
  const begun = performance.now();
  const outputs = await deploy(deployment);
  noteDeployment(performance.now() - begun);
  const token = await makeToken(deployment, outputs, PROJECT);
  const options = { endpoint: outputs.Url, project: PROJECT, token };
  const speaker = { client: patientClient(openClient(options)) };
  const stack = await create(speaker, "core", TEMPLATE);
  await ends(speaker, stack, "CREATE_COMPLETE");
  await remove(speaker, stack);
  equal((await fetch(`${outputs.Url}/console/index.html`)).status, 404, "there is no console");
};

const lastLines = (file: string): string =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(-LINES_SHOWN_MAX).join("\n") : "";

/** It is not destroyed: the emulator holds it in its memory, and ends. */
export const playDeployment = async ({ root }: ReducedClone, folder: string): Promise<string> => {
  mkdirSync(DATA, { recursive: true });
  const emulator = await startMinistack(join(DATA, "ministack"), folder);
  try {
    const { endpoint, certificate } = emulator;
    const target = {
      endpoint,
      folder,
      root,
      ...(certificate === undefined ? {} : { certificate }),
    };
    await bootstrap(target);
    await liveOfStack({
      ...target,
      kind: MINISTACK,
      stage: "core",
      revision: FIRST_REVISION,
      plugIns: {},
      // Nobody asks it: the stack has no resource of AWS.
      cloudControlUrl: endpoint,
    });
  } catch (error) {
    // The folder of the lane goes with it.
    console.error(lastLines(join(folder, "commands.log")));
    throw error;
  } finally {
    await emulator.stop();
  }
  return `deployed on ${MINISTACK.name}, and a stack was created and deleted over HTTP`;
};
