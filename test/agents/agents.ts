/**
 * `npm run lane -- agents`: OpenStack's unmodified agents against Hearth. By default the lane
 * starts the embedded host. `--endpoint URL --token T [--project P]` uses a running Hearth instead;
 * HEARTH_TOKEN can also contain the token. The lane needs only Node and Python 3.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openClient } from "#client/client.ts";
import { paceText, watchPace, whenOver } from "../aws/pace.ts";
import { patientClient } from "../aws/patient-client.ts";
import { type RestartedHost, startHost } from "../crash/host-process.ts";
import { openTally } from "../crash/tally.ts";
import { chosenBy } from "../lanes/chosen.ts";
import type { Rig, Story } from "./rig.ts";
import { installStockAgents } from "./stock-agents.ts";
import { diagnosisStories } from "./stories/diagnosis.ts";
import { exampleStories } from "./stories/examples.ts";
import { lifecycleStories } from "./stories/lifecycle.ts";
import { oldHeatStories } from "./stories/old-heat.ts";
import { ownAgentStories } from "./stories/own-agent.ts";
import { progressStories } from "./stories/progress.ts";
import { lastStories, restartStories } from "./stories/restarts.ts";
import { agentStageStories } from "./stories/stages-agent.ts";
import { bootStageStories } from "./stories/stages-boot.ts";
import { signalStageStories } from "./stories/stages-signal.ts";
import { structuredStories } from "./stories/structured.ts";
import { valueStories } from "./stories/values.ts";

const RUN_MS_MAX = 600_000;
/** A cycle of the stock agents costs a second or two of CPU; a story mostly waits for cycles. */
const STORIES_AT_ONCE = 3;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));

const { values } = parseArgs({
  options: {
    endpoint: { type: "string" },
    token: { type: "string" },
    project: { type: "string", default: "demo" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), "hearth-agents-"));
const startedAt = performance.now();
const tally = openTally();
let skipped = 0;
const say = (text: string): void =>
  console.log(`[${((performance.now() - startedAt) / 1_000).toFixed(0)} s] ${text}`);

const play = async (rig: Rig, story: Story): Promise<void> => {
  if (story.needsOwnHost && !rig.host) {
    skipped += 1;
    return say(`skipped, because the host is not ours: ${story.name}`);
  }
  const begun = performance.now();
  const wrong = await story.play(rig).then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  tally.report([{ name: `${story.name} (${seconds} s)`, wrong }]);
};

const playAll = async (rig: Rig, stories: readonly Story[]): Promise<void> => {
  const waiting = [...stories];
  const inTurn = async (): Promise<void> => {
    for (let story = waiting.shift(); story; story = waiting.shift()) await play(rig, story);
  };
  await Promise.all(Array.from({ length: STORIES_AT_ONCE }, inTurn));
};

const finish = (failure?: string): never => {
  if (failure !== undefined) tally.report([{ name: "the run finishes", wrong: [failure] }]);
  if (tally.failed === 0 && !values.keep) rmSync(folder, { recursive: true });
  else console.log(`The servers' folders and the host's log are kept in ${folder}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed, ${skipped} skipped`);
  process.exit(tally.isGreen ? 0 : 1);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => finish(signal));
whenOver(RUN_MS_MAX, () => finish(`the run takes too long, at ${paceText()}`));

const openRig = async (): Promise<Rig> => {
  mkdirSync(DATA, { recursive: true });
  const agents = await installStockAgents(join(DATA, "stock-agents"), folder);
  say(`the stock agents are unmodified: ${agents.filesCompared} files compared`);
  const own: RestartedHost | null = values.endpoint === undefined ? startHost(folder) : null;
  const endpoint = values.endpoint ?? (await own?.ready()) ?? "";
  const { project, token = process.env["HEARTH_TOKEN"] } = values;
  if (!own) watchPace(endpoint);
  const connection = { endpoint, project, token };
  const rig = { agents, folder, connection, client: patientClient(openClient(connection)) };
  return own ? { ...rig, host: own } : rig;
};

const STORIES = [
  ...progressStories,
  ...oldHeatStories,
  ...ownAgentStories,
  ...restartStories,
  ...lifecycleStories,
  ...valueStories,
  ...structuredStories,
  ...exampleStories,
  ...diagnosisStories,
  ...bootStageStories,
  ...agentStageStories,
  ...signalStageStories,
];

const run = async (): Promise<void> => {
  const chosen = chosenBy(values.only, [...STORIES, ...lastStories], ({ name }) => name);
  const rig = await openRig();
  await playAll(
    rig,
    STORIES.filter((story) => chosen.includes(story)),
  );
  for (const story of lastStories.filter((one) => chosen.includes(one))) await play(rig, story);
  await rig.host?.stop();
};

await run().then(
  () => finish(),
  (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
);
