/**
 * `npm run test:cloud` deploys the real CDK app to an emulator, tests it over HTTP with every
 * function a real process, and destroys it. By default it installs and starts MiniStack, which
 * needs only Node and Python. `--endpoint URL` uses a running emulator, such as LocalStack.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bootstrap, type Deployment, deploy, destroy } from "./deployment.ts";
import { FIRST_REVISION } from "./lane.ts";
import { startMinistack } from "./ministack.ts";
import { openLane } from "./open-lane.ts";
import { openResults } from "./results.ts";
import { calmStage, harshStage, type Stage } from "./stages.ts";

const RUN_MS_MAX = 1_200_000;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));

const { values } = parseArgs({
  options: { endpoint: { type: "string" }, only: { type: "string" }, keep: { type: "boolean" } },
});

const folder = mkdtempSync(join(tmpdir(), "hearth-aws-"));
const startedAt = performance.now();
const results = openResults(values.only);
const say = (text: string): void =>
  console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${text}`);

const publicUrlOf = (endpoint: string): string =>
  values.endpoint === undefined
    ? `${endpoint}/restapis/{api}/{stage}/_user_request_`
    : `${endpoint}/_aws/execute-api/{api}/{stage}`;

/** Agents here cannot resolve the names of LocalStack's function URLs. */
const agentUrlOf = (endpoint: string): string =>
  values.endpoint === undefined ? `${endpoint}/_aws/lambda-url/{id}` : "rest";

mkdirSync(DATA, { recursive: true });
const emulator = values.endpoint ? null : await startMinistack(join(DATA, "ministack"), folder);
const endpoint = emulator?.endpoint ?? values.endpoint ?? "";
const certificate = emulator?.certificate;
say(`the emulator is at ${endpoint}, the logs in ${folder}`);

const runStage = async ({ name, play }: Stage): Promise<void> => {
  const deployment: Deployment = {
    stage: name,
    revision: FIRST_REVISION,
    endpoint,
    folder,
    publicUrl: publicUrlOf(endpoint),
    agentUrl: agentUrlOf(endpoint),
    hasAliases: emulator !== null,
    ...(certificate === undefined ? {} : { certificate }),
  };
  say(`deploying ${name}`);
  const outputs = await deploy(deployment);
  const shown = Object.entries(outputs).map(([output, value]) => `${output} ${value}`);
  say(`deployed ${name}: ${shown.join(", ")}`);
  const lane = await openLane(deployment, outputs, emulator, say);
  await play(lane, deployment);
  await lane.account.emptyBucket();
  lane.account.close();
  say(`destroying ${name}`);
  await destroy(deployment);
};

const run = async (): Promise<void> => {
  await bootstrap({ endpoint, folder, ...(certificate === undefined ? {} : { certificate }) });
  const told = { results, say, emulator, only: values.only };
  const stages = [calmStage(told), harshStage(told)];
  await Promise.all(stages.filter(({ isWanted }) => isWanted).map(runStage));
};

const finish = async (failure?: string): Promise<never> => {
  if (failure !== undefined) results.check("the run comes to its end", [failure]);
  await emulator?.stop();
  if (results.failed === 0 && !values.keep) rmSync(folder, { recursive: true });
  else console.log(`The logs are kept in ${folder}`);
  console.log(results.summary());
  process.exit(results.failed === 0 ? 0 : 1);
};

const end = (why: string) => () => {
  void finish(why);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end(signal));
setTimeout(end("it takes too long"), RUN_MS_MAX);

await run().then(
  () => finish(),
  (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
);
