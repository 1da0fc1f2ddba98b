/**
 * The lives of an agent whose power is cut. The engine and the scripts' effects are outside. No
 * script may run twice, and no accepted result may change.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "#lib/ports/ports.ts";
import { HEARTH } from "../hearth-program.ts";
import {
  entry,
  type FakeEngine,
  shell,
  startFakeEngine,
} from "../integration/agent/fake-engine.ts";
import { type CutPlan, type Cuts, startLossy } from "./lossy-program.ts";
import { type LossyFolder, lossyFolder } from "./platter.ts";

const DEPLOYMENTS_A_LIFE = 3;
/** A life has about so many operations of the disk. */
const OPERATIONS_MAX = 150;
const LOOK_MS = 50;
const LIFE_MS_MAX = 60_000;

interface Play {
  readonly engine: FakeEngine;
  readonly ids: string[];
  readonly runs: string;
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];

const resultsOf = ({ engine }: Play, id: string): readonly unknown[] =>
  engine.signals.filter((signal) => signal.id === id).map(({ body }) => body["deploy_status_code"]);

/** The document lists deployments without a result, and the newest ones. */
const publish = (play: Play): void => {
  const { engine, ids, runs } = play;
  for (let more = 0; more < DEPLOYMENTS_A_LIFE; more += 1) ids.push(`d${ids.length}`);
  const listed = ids.filter(
    (id, at) => at >= ids.length - 2 * DEPLOYMENTS_A_LIFE || resultsOf(play, id).length === 0,
  );
  const deployments = listed.map((id) => entry(engine, id, shell(`echo ${id} >> ${runs}`)));
  engine.serve({ deployments });
};

const compare = (play: Play): readonly string[] => {
  const runs = linesOf(play.runs);
  return play.ids.flatMap((id) => {
    const count = runs.filter((line) => line === id).length;
    const results = [...new Set(resultsOf(play, id))];
    return [
      ...(count > 1 ? [`the script of ${id} ran ${count} times`] : []),
      ...(results.length > 1 ? [`the result of ${id} was taken back: ${results}`] : []),
      ...(count === 0 && results.includes(0) ? [`${id} is told as done, and did not run`] : []),
    ];
  });
};

export const playAgentCuts = async (options: Cuts): Promise<void> => {
  const { folder, library, cuts, random, tally } = options;
  const root = join(folder, "agent-disk");
  mkdirSync(root);
  const disk = { library, root, journal: join(folder, "agent-journal") };
  const engine = await startFakeEngine();
  const play = { engine, ids: [], runs: join(folder, "runs") };
  const agent = [HEARTH, "agent", "--metadata-url", engine.metadataUrl];
  const words = [...agent, "--root", join(root, "records"), "--interval-ms", "25"];
  const platter = lossyFolder(root, disk.journal);
  const logFile = join(folder, "agent.log");
  const live = async (plan: CutPlan | null): Promise<boolean> => {
    publish(play);
    platter.begin();
    const program = startLossy(disk, plan, words, logFile);
    const end = performance.now() + LIFE_MS_MAX;
    while (!program.isGone() && performance.now() < end && !isDone(play)) await pause(LOOK_MS);
    await program.kill();
    return isDone(play);
  };
  const wrong = await playLives({ live, platter, play, cuts, random });
  await engine.close();
  tally.report([
    { name: `${cuts} power cuts of an agent: each script once, each result kept`, wrong },
  ]);
};

const isDone = (play: Play): boolean => play.ids.every((id) => resultsOf(play, id).length > 0);

interface Lives {
  readonly live: (plan: CutPlan | null) => Promise<boolean>;
  readonly platter: LossyFolder;
  readonly play: Play;
  readonly cuts: number;
  readonly random: Random;
}

const playLives = async (lives: Lives): Promise<readonly string[]> => {
  const { live, platter, play, cuts, random } = lives;
  for (let cut = 1; cut <= cuts; cut += 1) {
    await live({ after: 1 + random.below(OPERATIONS_MAX), from: "start" });
    platter.cut(random);
    const wrong = compare(play).map((text) => `after cut ${cut}: ${text}`);
    if (wrong.length > 0) return wrong;
  }
  const isEnded = await live(null);
  return [...compare(play), ...(isEnded ? [] : ["a deployment has no result"])];
};
