/**
 * `npm run lane -- crash [--kills N --cuts N --seed N]` kills the host with SIGKILL again and
 * again, and restarts it on the same port and data folder. Its three stories are updates of a whole
 * stack of fifty resources, updates of one or two of thirty, and deletes that end long operations.
 * Every request must complete, with no object created twice and nothing lost. The seed decides the
 * templates and the planned moments; the exact moment of a kill depends on the machine.
 *
 * Two more stories need root: a disk becomes full, and one becomes read-only. At the end the power
 * is cut (`npm run lane -- power`), which needs Linux and a C compiler.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { playCuts } from "../power/play-cuts.ts";
import { playDisks } from "./disk/play-disks.ts";
import { startHost } from "./host-process.ts";
import { playStory } from "./story.ts";
import { openTally } from "./tally.ts";

const KILLS_DEFAULT = 20;
const CUTS_DEFAULT = 4;
const KILLS_MAX = 1_000;
const SEED_MAX = 2 ** 31;
/** A run fails if it takes longer than this plus the allowance for each kill. */
const RUN_MS_MAX = 360_000;
const KILL_MS_MAX = 10_000;
const CUT_MS_MAX = 60_000;

const Options = z.object({
  kills: z.coerce.number().int().min(0).max(KILLS_MAX),
  cuts: z.coerce.number().int().min(0).max(KILLS_MAX),
  seed: z.coerce.number().int().min(0).max(SEED_MAX),
});

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: String(KILLS_DEFAULT) },
    cuts: { type: "string", default: String(CUTS_DEFAULT) },
    seed: { type: "string", default: String(Date.now() % SEED_MAX) },
  },
});
const { kills, cuts, seed } = Options.parse(values);

console.log(`${kills} kills, seed ${seed}: npm run lane -- crash --kills ${kills} --seed ${seed}`);
const folder = mkdtempSync(join(tmpdir(), "hearth-crash-"));

const tally = openTally();
let notRun: readonly string[] = [];

const finish = (failure?: string): never => {
  if (failure !== undefined) tally.report([{ name: "the run comes to its end", wrong: [failure] }]);
  if (tally.failed === 0) rmSync(folder, { recursive: true });
  else console.log(`The data folder and the host's log are kept in ${folder}`);
  const left = notRun.length === 0 ? "" : `; not run: ${notRun.join("; ")}`;
  console.log(`${tally.passed} passed, ${tally.failed} failed${left}`);
  // With `--kills 0` and without root, nothing can be played. That is reported, but is no failure.
  const isExcused = notRun.length > 0 && tally.failed === 0;
  process.exit(tally.isGreen || isExcused ? 0 : 1);
};

const playKills = async (): Promise<void> => {
  const random = memoryRandom(seed);
  const host = startHost(folder);
  await playStory({ host, folder, random, tally }, kills);
  const code = await host.stop();
  tally.report([
    {
      name: "the host ends with 0 when it is asked to",
      wrong: code === 0 ? [] : [`it ended with ${code}`],
    },
  ]);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => finish(signal));
setTimeout(() => finish("it takes too long"), RUN_MS_MAX + kills * KILL_MS_MAX + cuts * CUT_MS_MAX);

try {
  if (kills > 0) await playKills();
  notRun = await playDisks(folder, tally);
  const random = memoryRandom(seed);
  const why = cuts > 0 ? await playCuts({ folder, cuts, random, tally }) : null;
  if (why !== null) notRun = [...notRun, `power cuts (${why})`];
} catch (error) {
  finish(error instanceof Error ? error.message : String(error));
}
finish();
