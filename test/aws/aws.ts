/**
 * `npm run lane -- cloud` deploys the real CDK app to an emulator, tests it over HTTP with every
 * function a real process, and destroys it. By default it installs and starts MiniStack, which
 * needs only Node and Python. `--endpoint URL` uses a running emulator, such as LocalStack. `--only
 * WORDS` and `--short` play a part of the stories; `--beside-localstack` plays what a short run on
 * LocalStack leaves out. `--keep` keeps the deployment. `--attacks N` plays only N requests of a
 * project that attacks another one.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { chosenBy } from "../lanes/chosen.ts";
import { startCloudControl } from "./cloud-control.ts";
import { bootstrap, type Deployment, deploy, destroy, keptText } from "./deployment.ts";
import { emulatorAt, MINISTACK } from "./emulators.ts";
import { FIRST_REVISION } from "./lane.ts";
import { startMinistack } from "./ministack.ts";
import { openLane } from "./open-lane.ts";
import { noteDeployment, paceText, watchPace, whenOver } from "./pace.ts";
import { startPlugIn } from "./plug-in.ts";
import { messageOf, openResults } from "./results.ts";
import { attackedStage, calmStage, harshStage, type Stage, storyNames } from "./stages.ts";

const RUN_MS_MAX = 1_800_000;
const RUN_MS_MAX_AT_ANY_PACE = 10_800_000;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));

const { values } = parseArgs({
  options: {
    endpoint: { type: "string" },
    only: { type: "string" },
    short: { type: "boolean", default: false },
    "beside-localstack": { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    attacks: { type: "string" },
  },
});

/** The emulator has not started yet; the names do not depend on it. */
const named = chosenBy(values.only, storyNames(), (name) => name);
const attacks =
  values.attacks === undefined ? null : z.coerce.number().int().positive().parse(values.attacks);

const folder = mkdtempSync(join(tmpdir(), "hearth-aws-"));
const startedAt = performance.now();
const results = openResults({ ...values, besideLocalStack: values["beside-localstack"] });
const say = (text: string): void =>
  console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${text}`);

mkdirSync(DATA, { recursive: true });
const kind = values.endpoint ? await emulatorAt(values.endpoint) : MINISTACK;
const emulator = values.endpoint ? null : await startMinistack(join(DATA, "ministack"), folder);
const endpoint = emulator?.endpoint ?? values.endpoint ?? "";
const certificate = emulator?.certificate;
const target = { endpoint, folder, ...(certificate === undefined ? {} : { certificate }) };
say(`${kind.name} is at ${endpoint}, the logs in ${folder}`);

const plugIn = await startPlugIn(endpoint);
const cloudControl = await startCloudControl(endpoint);

const kept: string[] = [];

const runStage = async ({ name, play }: Stage): Promise<void> => {
  const deployment: Deployment = {
    ...target,
    kind,
    stage: name,
    revision: FIRST_REVISION,
    plugIns: plugIn.servers,
    cloudControlUrl: cloudControl.url,
  };
  say(`deploying ${name}`);
  const begun = performance.now();
  const outputs = await deploy(deployment);
  noteDeployment(performance.now() - begun);
  const shown = Object.entries(outputs).map(([output, value]) => `${output} ${value}`);
  say(`deployed ${name} at ${paceText()}: ${shown.join(", ")}`);
  const unwatch = watchPace(outputs.Url);
  try {
    const lane = await openLane(deployment, outputs, emulator, say);
    if (values.keep) kept.push(keptText(deployment, lane));
    await play(lane, deployment);
    if (values.keep) return;
    await lane.account.emptyBucket();
    lane.account.close();
    say(`destroying ${name}`);
    await destroy(deployment);
  } finally {
    unwatch();
  }
};

const run = async (): Promise<void> => {
  await bootstrap(target);
  const openings = attacks === null ? [calmStage, harshStage] : [attackedStage(attacks)];
  const stages = openings.map((open) =>
    open({ results, say, emulator, kind, only: values.only, plugIn, cloudControl }),
  );
  const wanted = stages.filter(
    ({ names }) => attacks !== null || names.some((name) => named.includes(name)),
  );
  await Promise.all(wanted.map(runStage));
};

const ended = Promise.withResolvers<string>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => ended.resolve(signal));
const relax = whenOver(RUN_MS_MAX, () => ended.resolve(`it takes too long at ${paceText()}`));

setTimeout(() => ended.resolve("it takes too long at any pace"), RUN_MS_MAX_AT_ANY_PACE);

const failure = await Promise.race([run().then(() => null, messageOf), ended.promise]);
relax();
if (failure !== null) results.check("the run comes to its end", [failure]);
const isKept = kept.length > 0;
if (!isKept) {
  await cloudControl.close();
  await emulator?.stop();
}
if (results.isGreen && !values.keep) rmSync(folder, { recursive: true });
else console.log(`The logs are kept in ${folder}`);
for (const text of kept) console.log(text);
console.log(results.summary());
if (isKept && emulator) {
  console.log("This command keeps the emulator. Interrupt it to end both.");
  await ended.promise;
  await emulator.stop();
}
process.exit(results.isGreen ? 0 : 1);
