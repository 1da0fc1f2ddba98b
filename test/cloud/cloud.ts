/**
 * `npm run test:cloud`: the real CDK app, deployed to an emulator, tried out over HTTP with every function
 * a real process, and destroyed. By default the emulator is MiniStack, installed and started here (Node and
 * Python are all it needs); `--endpoint URL` takes one that runs already, such as LocalStack's.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openClient } from "../../cli/client.ts";
import { openAccount } from "./account.ts";
import { runContractSuite } from "./contract-suite.ts";
import { type Deployment, deploy, destroy, makeToken } from "./deployment.ts";
import { emptyTables, functionsThatDidNot, functionsThatRan, itemsText } from "./inventory.ts";
import { FOREIGN_PROJECT, type Lane, PROJECT } from "./lane.ts";
import { type Emulator, endProcess, startMinistack } from "./ministack.ts";
import { openResults } from "./results.ts";
import { agents } from "./stories/agents.ts";
import { demo } from "./stories/demo.ts";
import { doctorStories } from "./stories/doctor.ts";
import { iam } from "./stories/iam.ts";
import { ladderStories } from "./stories/ladder.ts";
import { lifecycleStories } from "./stories/lifecycle.ts";
import { nothingLeaked, securityStories } from "./stories/security.ts";
import { softwareStories } from "./stories/software.ts";
import {
  harshStories,
  lastTroubleStories,
  quickTroubleStories,
  timingOut,
} from "./stories/trouble.ts";

const SUITE = "the contract suite";
const RUN_MS_MAX = 1_200_000;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));

const { values } = parseArgs({
  options: { endpoint: { type: "string" }, only: { type: "string" }, keep: { type: "boolean" } },
});

const isWhole = values.only === undefined;
const folder = mkdtempSync(join(tmpdir(), "hearth-cloud-"));
const startedAt = performance.now();
const results = openResults(values.only);
const say = (text: string): void =>
  console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${text}`);

/** What mostly waits goes beside the rest; what kills workers comes after all that would mind. */
const playAll = async (lane: Lane, deployment: Deployment): Promise<void> => {
  const quick = [
    ...securityStories,
    ...doctorStories,
    iam,
    ...lifecycleStories,
    demo(certificate),
    ...softwareStories,
    ...quickTroubleStories,
  ];
  const { play, inTurn } = results;
  await Promise.all([
    ...[timingOut, agents(certificate)].map((story) => play(lane, story)),
    inTurn(lane, quick),
  ]);
  await Promise.all([
    ...[...harshStories, ...ladderStories].map((story) => play(lane, story)),
    // It has tables of its own, and asks no function.
    contractSuite(deployment),
  ]);
  await inTurn(lane, [...lastTroubleStories, nothingLeaked]);
};

const openLane = async (deployment: Deployment, emulator: Emulator | null) => {
  say("deploying");
  const outputs = await deploy(deployment);
  say(`deployed: ${outputs.Url}`);
  const token = await makeToken(deployment, outputs, PROJECT);
  const foreignToken = await makeToken(deployment, outputs, FOREIGN_PROJECT);
  const clientOf = (project: string, own: string) =>
    openClient({ endpoint: outputs.Url, project, token: own });
  const account = await openAccount(deployment.endpoint, outputs);
  const killWorkers = (name: string): number => {
    const pids = emulator?.workers(name) ?? [];
    for (const pid of pids) endProcess(pid);
    return pids.length;
  };
  const lane: Lane = {
    url: outputs.Url,
    endpoint: deployment.endpoint,
    token,
    foreignToken,
    client: clientOf(PROJECT, token),
    foreignClient: clientOf(FOREIGN_PROJECT, foreignToken),
    account,
    planted: [],
    say,
    ...(emulator ? { killWorkers } : {}),
    ...(emulator?.wire ? { wire: emulator.wire } : {}),
  };
  return lane;
};

/** Of a whole run: a part of one leaves functions and tables untouched. */
const report = async ({ account }: Lane, emulator: Emulator | null): Promise<void> => {
  writeFileSync(join(folder, "functions.log"), await account.logsText());
  const items = await account.countItems();
  say(`items: ${itemsText(items)}`);
  if (isWhole) results.check("every table holds items", emptyTables(items));
  const everyFunction = "every function ran as a process of its own";
  if (emulator === null) {
    if (isWhole) results.skip(everyFunction, "the emulator's processes are out of sight");
    return;
  }
  const ran = functionsThatRan(emulator.invoked());
  say(`${ran.length} functions ran as processes: ${ran.join(", ")}`);
  if (isWhole) results.check(everyFunction, functionsThatDidNot(ran));
};

const contractSuite = async (deployment: Deployment): Promise<void> => {
  if (!SUITE.includes(values.only ?? "")) return;
  say(`${SUITE}, against the same emulator`);
  const { passed, skipped, failed } = await runContractSuite(deployment);
  const where = values.endpoint ?? "MiniStack";
  const besides = skipped > 0 ? `, ${skipped} skipped` : "";
  results.check(`${SUITE} passes on ${where}: ${passed} tests${besides}`, failed);
};

const run = async (deployment: Deployment, emulator: Emulator | null): Promise<void> => {
  const lane = await openLane(deployment, emulator);
  await playAll(lane, deployment);
  await report(lane, emulator);
  await lane.account.emptyBucket();
  lane.account.close();
  say("destroying");
  await destroy(deployment);
};

const publicUrlOf = (endpoint: string): string =>
  values.endpoint === undefined
    ? `${endpoint}/restapis/{api}/{stage}/_user_request_`
    : `${endpoint}/_aws/execute-api/{api}/{stage}`;

mkdirSync(DATA, { recursive: true });
const emulator = values.endpoint ? null : await startMinistack(join(DATA, "ministack"), folder);
const endpoint = emulator?.endpoint ?? values.endpoint ?? "";
say(`the emulator is at ${endpoint}, the logs in ${folder}`);

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

const certificate = emulator?.certificate;
const deployment: Deployment = {
  ...{ endpoint, folder, publicUrl: publicUrlOf(endpoint) },
  ...(certificate === undefined ? {} : { certificate }),
};
await run(deployment, emulator).then(
  () => finish(),
  (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
);
