/**
 * `npm run replay -- SEED [COUNT [nested]]` prints the story of a random run. With COUNT it lists
 * the runs that fail.
 */
import * as z from "zod";
import { RandomRun } from "./random-run.ts";

const [seedText = "1", countText = "1", kind = ""] = process.argv.slice(2);
const nested = kind === "nested";
const first = z.coerce.number().int().min(0).parse(seedText);
const count = z.coerce.number().int().min(1).parse(countText);
let failed = 0;
let steps = 0;
for (let seed = first; seed < first + count; seed++) {
  const result = await new RandomRun(seed, { nested }).run();
  steps += result.steps;
  if (count === 1) console.log(result.story.join("\n"));
  if (result.failure !== null) {
    failed++;
    console.log(
      `seed ${seed}: ${result.failure}\n  npm run replay -- ${seed}${nested ? " 1 nested" : ""}`,
    );
  }
}
console.log(`${count} runs, ${steps} steps, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
