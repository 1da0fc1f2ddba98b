/** Looks for the first failure, in the directed cases, in a small storm and then in random runs; prints it in a line, or nothing. */
import { ALL_DIRECTED } from "../directed/directed-all.ts";
import { RandomRun } from "../random/random-run.ts";
import { brokenBound, storm } from "../random/storm.ts";

const STORM_RESOURCES = 100;
const seeds = Number(process.argv[2] ?? "1000");

/** Of the runs with one stack there is one with nested ones. */
const NESTED_SHARE = 4;

const firstFailure = async (): Promise<string | null> => {
  for (const { title, run } of ALL_DIRECTED) {
    try {
      await run();
    } catch (error) {
      return `"${title}": ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const broken = brokenBound(await storm({ resources: STORM_RESOURCES, seed: 1 }));
  if (broken !== null) return `the storm: ${broken}`;
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
