/**
 * `npm run lane -- power [--cuts N --seed N --only host --durability relaxed]` cuts the power of a
 * host, and then of an agent, at random operations of their disk. What was not flushed is lost, or
 * reaches the disk in part. With `relaxed` the lane must fail. The seed decides the requests and
 * the operations; which commit an operation belongs to depends on the machine.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { DURABILITIES } from "#lib/adapters/sqlite/transactions.ts";
import { setup, teardown } from "../build-program.ts";
import { openTally } from "../crash/tally.ts";
import { mustName } from "../lanes/chosen.ts";
import { playLane } from "../lanes/play-lane.ts";

const CUTS_DEFAULT = 200;
const CUTS_MAX = 100_000;
const SEED_MAX = 2 ** 31;
const CUT_MS_MAX = 120_000;

const PLAYED = ["host", "agent"] as const;

const Options = z.object({
  cuts: z.coerce.number().int().min(1).max(CUTS_MAX),
  seed: z.coerce.number().int().min(0).max(SEED_MAX),
  durability: z.enum(DURABILITIES),
  only: z.enum(PLAYED).optional(),
});

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: String(CUTS_DEFAULT) },
    seed: { type: "string", default: String(Date.now() % SEED_MAX) },
    durability: { type: "string", default: "full" },
    only: { type: "string" },
  },
});
mustName(values.only, PLAYED);
const { cuts, seed, durability, only } = Options.parse(values);

await playLane("power", async (folder) => {
  const again = `npm run lane -- power --cuts ${cuts} --seed ${seed}`;
  console.log(`${cuts} cuts, seed ${seed}: ${again}`);
  // Each cut needs a start, and the build starts in a third of the time.
  setup();
  process.on("exit", teardown);
  const tooLong = (): never => {
    console.error("power takes too long");
    process.exit(1);
  };
  setTimeout(tooLong, (cuts + 1) * CUT_MS_MAX).unref();
  const { playCuts } = await import("./play-cuts.ts");
  const tally = openTally();
  const random = memoryRandom(seed);
  const why = await playCuts({ folder, cuts, random, tally, durability, only });
  if (why === null) console.log(`power: ${tally.passed} passed, ${tally.failed} failed`);
  else console.log(`power: not run: ${why}`);
  return tally.failed === 0;
});
