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
import { openTally } from "../crash/tally.ts";
import { openAccount } from "./account.ts";
import { type Deployment, deploy, destroy, makeToken } from "./deployment.ts";
import { type Lane, PROJECT, type Story } from "./lane.ts";
import { type Emulator, endProcess, startMinistack } from "./ministack.ts";
import { lifecycleStories } from "./stories/lifecycle.ts";
import { nothingLeaked, securityStories } from "./stories/security.ts";
import { softwareStories } from "./stories/software.ts";
import {
  harshStories,
  lastTroubleStories,
  quickTroubleStories,
  timingOut,
} from "./stories/trouble.ts";

const RUN_MS_MAX = 900_000;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));

const { values } = parseArgs({
  options: { endpoint: { type: "string" }, only: { type: "string" }, keep: { type: "boolean" } },
});

const folder = mkdtempSync(join(tmpdir(), "hearth-cloud-"));
const startedAt = performance.now();
const tally = openTally();
const say = (text: string): void =>
  console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${text}`);

const play = async (lane: Lane, story: Story): Promise<void> => {
  if (values.only !== undefined && !story.name.includes(values.only)) return;
  const begun = performance.now();
  const wrong = await story.play(lane).then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  tally.report([{ name: `${story.name} (${seconds} s)`, wrong }]);
};

const inTurn = async (lane: Lane, stories: readonly Story[]): Promise<void> => {
  for (const story of stories) await play(lane, story);
};

const playAll = async (lane: Lane): Promise<void> => {
  const quick = [
    ...securityStories,
    ...lifecycleStories,
    ...softwareStories,
    ...quickTroubleStories,
  ];
  await Promise.all([play(lane, timingOut), inTurn(lane, quick)]);
  await Promise.all(harshStories.map((story) => play(lane, story)));
  await inTurn(lane, [...lastTroubleStories, nothingLeaked]);
};

const openLane = async (deployment: Deployment, emulator: Emulator | null) => {
  say("deploying");
  const outputs = await deploy(deployment);
  say(`deployed: ${outputs.Url}`);
  const token = await makeToken(deployment, outputs, PROJECT);
  const foreignToken = await makeToken(deployment, outputs, "other");
  const client = openClient({ endpoint: outputs.Url, project: PROJECT, token });
  const account = await openAccount(deployment.endpoint, outputs);
  const killWorkers = (name: string): number => {
    const pids = emulator?.workers(name) ?? [];
    for (const pid of pids) endProcess(pid);
    return pids.length;
  };
  const lane: Lane = {
    url: outputs.Url,
    token,
    foreignToken,
    client,
    account,
    planted: [],
    ...(emulator ? { killWorkers } : {}),
  };
  return lane;
};

const report = async ({ account }: Lane, emulator: Emulator | null): Promise<void> => {
  const functions = new Set(
    (emulator?.invoked() ?? []).map((name) => /Engine([A-Za-z]+)Function/.exec(name)?.[1] ?? name),
  );
  if (emulator) say(`functions that ran as processes: ${[...functions].toSorted().join(", ")}`);
  const counts = Object.entries(await account.countItems());
  writeFileSync(join(folder, "functions.log"), await account.logsText());
  say(`items: ${counts.map(([name, count]) => `${name} ${count}`).join(", ")}`);
};

const run = async (deployment: Deployment, emulator: Emulator | null): Promise<void> => {
  const lane = await openLane(deployment, emulator);
  await playAll(lane);
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
  if (failure !== undefined) tally.report([{ name: "the run comes to its end", wrong: [failure] }]);
  await emulator?.stop();
  if (tally.failed === 0 && !values.keep) rmSync(folder, { recursive: true });
  else console.log(`The logs are kept in ${folder}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exit(tally.failed === 0 ? 0 : 1);
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
