import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Durability } from "#lib/adapters/sqlite/transactions.ts";
import type { Random } from "#lib/ports/ports.ts";
import { HEARTH } from "../hearth-program.ts";
import { type HostStory, openStory, settleAndCompare, work } from "./host-story.ts";
import { type CutPlan, type Cuts, type Disk, startLossy } from "./lossy-program.ts";
import { type LossyFolder, lossyFolder } from "./platter.ts";
import { NoAnswer } from "./requests.ts";
import { openWorld } from "./world.ts";

interface HostCuts extends Cuts {
  readonly durability: Durability;
}

/** Of five cuts, one comes while the host starts and resumes the work of its former life. */
const FIVE = 5;
const START_OPERATIONS_MAX = 400;
/** A life of this story has about so many operations of the disk. */
const WORK_OPERATIONS_MAX = 1_500;
const READY = /^Hearth is listening on (https?:\S+)$/;

interface Life {
  readonly disk: Disk;
  readonly platter: LossyFolder;
  readonly words: readonly string[];
  readonly logFile: string;
}

const planOf = (random: Random): CutPlan =>
  random.below(FIVE) === 0
    ? { after: 1 + random.below(START_OPERATIONS_MAX), from: "start" }
    : { after: 1 + random.below(WORK_OPERATIONS_MAX), from: "arm" };

const LINES_SHOWN = 3;
const lastLines = (file: string): string =>
  readFileSync(file, "utf8").trimEnd().split("\n").slice(-LINES_SHOWN).join(" | ");

interface Lived {
  readonly wrong: readonly string[];
  readonly unflushed: number;
  readonly wasAtWork: boolean;
}

const live = async (life: Life, story: HostStory, plan: CutPlan | null): Promise<Lived> => {
  life.platter.begin();
  const host = startLossy(life.disk, plan, life.words, life.logFile);
  const wrong: string[] = [];
  let wasAtWork = false;
  try {
    const url = await host.waitFor(READY);
    if (url !== null) {
      wrong.push(...(await settleAndCompare(url, story)));
      if (plan !== null && wrong.length === 0) {
        host.arm();
        wasAtWork = await work(url, story);
      }
    } else if (!host.wasCut()) wrong.push(`the host has not started: ${lastLines(life.logFile)}`);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    wasAtWork = true;
  } finally {
    await host.kill();
  }
  return { wrong, wasAtWork, unflushed: life.platter.cut(story.random).unflushed };
};

export const playHostCuts = async (options: HostCuts): Promise<void> => {
  const { folder, library, cuts, random, tally, durability } = options;
  const root = join(folder, "disk");
  mkdirSync(root);
  const disk = { library, root, journal: join(folder, "journal") };
  const world = await openWorld(join(folder, "secrets.json"));
  const serve = [HEARTH, "serve", "--port", "0", "--data", join(root, "data")];
  const words = [...serve, "--durability", durability, ...world.options];
  const platter = lossyFolder(root, disk.journal);
  const life = { disk, platter, words, logFile: join(folder, "host.log") };
  const story = openStory(world, random);
  const wrong: string[] = [];
  let [played, atWork, unflushed] = [0, 0, 0];
  while (played < cuts && wrong.length === 0) {
    const lived = await live(life, story, planOf(random));
    played += 1;
    atWork += Number(lived.wasAtWork);
    unflushed += lived.unflushed;
    wrong.push(...lived.wrong.map((text) => `before cut ${played}: ${text}`));
  }
  if (wrong.length === 0) wrong.push(...(await live(life, story, null)).wrong);
  await world.close();
  const figures = `${played} power cuts of a host, ${atWork} of them at work`;
  console.log(`${figures}; ${unflushed} writes not flushed; ${world.made()} objects made`);
  tally.report([{ name: "no object is without a row, and no answer is taken back", wrong }]);
};
