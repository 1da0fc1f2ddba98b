/** Looks for the first failure, in the directed cases and then in random runs; prints it in a line, or nothing. */
import { DIRECTED } from "./directed.ts";
import { DIRECTED_FAULTS } from "./directed-faults.ts";
import { DIRECTED_NESTED } from "./directed-nested.ts";
import { DIRECTED_STAMPS } from "./directed-stamps.ts";
import { RandomRun } from "./random-run.ts";

const seeds = Number(process.argv[2] ?? "1000");

/** Of the runs with one stack there is one with nested ones. */
const NESTED_SHARE = 4;

const firstFailure = async (): Promise<string | null> => {
  for (const { title, run } of [
    ...DIRECTED,
    ...DIRECTED_FAULTS,
    ...DIRECTED_STAMPS,
    ...DIRECTED_NESTED,
  ]) {
    try {
      await run();
    } catch (error) {
      return `"${title}": ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await new RandomRun(seed).run();
    if (failure !== null) return `seed ${seed}: ${failure.split("\n")[0]}`;
  }
  for (let seed = 1; seed <= seeds / NESTED_SHARE; seed++) {
    const { failure } = await new RandomRun(seed, { nested: true }).run();
    if (failure !== null) return `nested seed ${seed}: ${failure.split("\n")[0]}`;
  }
  return null;
};

const found = await firstFailure();
if (found !== null) console.log(found);
process.exit(0);
