/**
 * `npm run test:power [-- --cuts N --seed N --durability relaxed]` cuts the power of a host at
 * random operations of its disk: what was not flushed is lost, or comes to the disk in part. Its
 * stacks have objects in a world outside, which no cut touches. After each cut no object may be
 * without a row, and nothing that was answered may be taken back.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { DURABILITIES } from "#lib/adapters/sqlite/flushes.ts";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { openTally } from "../crash/tally.ts";
import { playLane } from "../lanes/play-lane.ts";
import { playHostCuts } from "./host-cuts.ts";

const CUTS_DEFAULT = 200;
const CUTS_MAX = 100_000;
const SEED_MAX = 2 ** 31;

const Options = z.object({
  cuts: z.coerce.number().int().min(1).max(CUTS_MAX),
  seed: z.coerce.number().int().min(0).max(SEED_MAX),
  durability: z.enum(DURABILITIES),
});

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: String(CUTS_DEFAULT) },
    seed: { type: "string", default: String(Date.now() % SEED_MAX) },
    durability: { type: "string", default: "full" },
  },
});
const { cuts, seed, durability } = Options.parse(values);

await playLane("test:power", async (folder) => {
  console.log(`${cuts} cuts, seed ${seed}: npm run test:power -- --cuts ${cuts} --seed ${seed}`);
  const tally = openTally();
  const random = memoryRandom(seed);
  const why = await playHostCuts({ folder, cuts, random, tally, durability });
  if (why !== null) console.log(`power: not run: ${why}`);
  else console.log(`power: ${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed === 0;
});
