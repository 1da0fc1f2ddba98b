/**
 * `npm run lane -- oracles` compares every recorded answer of Heat with the embedded host's,
 * through HTTP: status, keys and values. A difference must be in known-differences.json, or it
 * fails. `--only TEXT` selects cases by id. `--all-texts` shows each difference.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chosenBy } from "#test/lanes/chosen.ts";
import { startHost } from "../crash/host-process.ts";
import { type Api, openApi } from "./api.ts";
import { schemaPlays, versionPlays } from "./catalog-plays.ts";
import { environmentPlays } from "./environment-plays.ts";
import { functionPlays } from "./function-plays.ts";
import { groupPlays } from "./group-plays.ts";
import { type Judged, judge, type Played, readRules, repeatedCases } from "./known-differences.ts";
import { whyNoOracles } from "./oracle-files.ts";
import { parameterPlays } from "./parameter-plays.ts";
import type { Play } from "./play.ts";
import { templatePlays } from "./template-plays.ts";

/** On a busy machine a minute of work takes several. */
const RUN_MS_MAX = 900_000;
/** One host answers all requests, so more at once would only wait in its queue. */
const PLAYS_AT_ONCE = 16;
const TEXTS_OF_A_CAUSE_MAX = 2;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "all-texts": { type: "boolean", default: false },
  },
});

const FILES: Readonly<Record<string, () => readonly Play[]>> = {
  templates: templatePlays,
  functions: functionPlays,
  parameters: parameterPlays,
  environment: environmentPlays,
  "template-versions": versionPlays,
  "resource-schemas": schemaPlays,
  "child-templates and groups": groupPlays,
};

const playOne = async (api: Api, play: Play): Promise<Played> => {
  try {
    return { id: play.id, difference: await play.run(api) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { id: play.id, difference: { cause: `the play fails: ${text}`, text, accepts: false } };
  }
};

const playAll = async (api: Api, plays: readonly Play[]): Promise<readonly Played[]> => {
  const waiting = [...plays];
  const played: Played[] = [];
  const inTurn = async (): Promise<void> => {
    for (let play = waiting.shift(); play; play = waiting.shift()) {
      played.push(await playOne(api, play));
    }
  };
  await Promise.all(Array.from({ length: PLAYS_AT_ONCE }, inTurn));
  return played;
};

const printCauses = ({ unexplained }: Judged): void => {
  const byCause = Map.groupBy(unexplained, ({ cause }) => cause);
  const ranked = [...byCause].toSorted(([, left], [, right]) => right.length - left.length);
  for (const [cause, cases] of ranked) {
    console.log(`${String(cases.length).padStart(4)}  ${cause}`);
    const texts = values["all-texts"] ? cases : cases.slice(0, TEXTS_OF_A_CAUSE_MAX);
    for (const { text } of texts) console.log(`        ${text}`);
  }
};

const printCounts = (played: readonly Played[], judged: Judged): void => {
  for (const text of judged.stale) console.log(`FAILED ${text}`);
  for (const [rule, count] of judged.known) console.log(`known difference ${rule}: ${count}`);
  const known = [...judged.known.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${played.length} cases: ${judged.equal} equal, ${known} known differences, ` +
      `${judged.unexplained.length} unexplained, ${judged.stale.length} no longer so`,
  );
};

const play = async (): Promise<boolean> => {
  const rules = readRules();
  const repeated = repeatedCases(rules);
  if (repeated.length > 0) throw new Error(`more than one rule has ${repeated.join(", ")}`);
  const { only } = values;
  const plays = Object.values(FILES).flatMap((read) => read());
  const chosen = chosenBy(only, plays, ({ id }) => id);
  const host = startHost(folder, { HEARTH_LOG: "silent" });
  const played = await playAll(openApi(await host.ready()), chosen);
  await host.stop();
  const judged = judge(rules, played, only === undefined);
  printCauses(judged);
  printCounts(played, judged);
  return judged.unexplained.length === 0 && judged.stale.length === 0;
};

const why = whyNoOracles();
if (why !== null) {
  console.error(`oracles cannot run: ${why}`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "hearth-oracles-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
setTimeout(() => {
  console.error(`the run takes more than ${RUN_MS_MAX / 1_000} s`);
  process.exit(1);
}, RUN_MS_MAX).unref();
process.exitCode = (await play()) ? 0 : 1;
