/**
 * `npm run lane -- differential --runs 20000 --seed 1` asks Heat's own library and Hearth the same
 * generated questions. `--which functions` asks one lane. HEARTH_HEAT_PYTHONPATH names the folder
 * of an installed openstack-heat, and HEARTH_HEAT_PYTHON its Python. Each question has its own
 * seed, so one command replays it.
 */
import { parseArgs } from "node:util";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { JsonObject } from "#lib/json.ts";
import { type Heat, startHeat } from "./ask-heat.ts";
import { type Comparison, compare, sortedText } from "./compare.ts";
import { environments } from "./environments.ts";
import { functions } from "./functions.ts";
import type { Lane } from "./lane.ts";
import { nested } from "./nested/nested.ts";
import { parameters } from "./parameters.ts";
import { shrunk } from "./shrink.ts";
import { Tally } from "./tally.ts";

const LANES: readonly Lane[] = [parameters, environments, functions, nested];
const RUNS_MAX = 1_000_000;
const SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "20000" },
    which: { type: "string" },
  },
});

const ask = async (heat: Heat, lane: Lane, question: JsonObject): Promise<Comparison> => {
  const asked = lane.asked?.(question) ?? question;
  const theirs = await heat.ask({ ...asked, operation: lane.operation });
  return compare(lane, question, theirs, await lane.ours(question));
};

/** Hearth's code may fail on a smaller question that no client could ask. */
const differs = async (
  heat: Heat,
  lane: Lane,
  question: JsonObject,
  sort: string,
): Promise<boolean> => {
  try {
    const found = await ask(heat, lane, question);
    return found.kind === "different" && found.sort === sort;
  } catch {
    return false;
  }
};

const show = async (
  heat: Heat,
  lane: Lane,
  question: JsonObject,
  seed: number,
  sort: string,
): Promise<void> => {
  const smallest = await shrunk(question, (less) => differs(heat, lane, less, sort));
  const found = await ask(heat, lane, smallest);
  if (found.kind !== "different") throw new Error("Heat answers the same question in two ways");
  console.log(
    `npm run lane -- differential --which ${lane.operation} --seed ${seed} --runs 1\n` +
      `asked  ${sortedText(smallest)}\nHeat   ${found.want}\nHearth ${found.got}\n`,
  );
};

const run = async (heat: Heat, lane: Lane, first: number, runs: number, tally: Tally) => {
  for (let seed = first; seed < first + runs; seed++) {
    const question = lane.question(memoryRandom(seed));
    const found = await ask(heat, lane, question);
    tally.add(lane.subject(question), found);
    if (found.kind === "different" && tally.different <= SHOWN_MAX) {
      await show(heat, lane, question, seed, found.sort);
    }
  }
};

const runs = Number(values.runs);
const seed = Number(values.seed);
const lanes = LANES.filter(({ operation }) => (values.which ?? operation) === operation);
const pythonPath = process.env["HEARTH_HEAT_PYTHONPATH"];
if (pythonPath === undefined) throw new Error("HEARTH_HEAT_PYTHONPATH names no openstack-heat");
if (!(runs >= 1 && runs <= RUNS_MAX)) throw new Error(`--runs is 1 to ${RUNS_MAX}`);
if (!Number.isSafeInteger(seed)) throw new Error("--seed is an integer");
if (lanes.length === 0)
  throw new Error(`--which is ${LANES.map((lane) => lane.operation).join(", ")}`);

const tally = new Tally();
const shares = lanes.reduce((sum, { share }) => sum + share, 0);
for (const lane of lanes) {
  const heat = startHeat(pythonPath, process.env["HEARTH_HEAT_PYTHON"] ?? "python3", lane.script);
  await run(heat, lane, seed, Math.ceil((runs * lane.share) / shares), tally);
  heat.end();
}
tally.print();
console.log(tally.summary());
process.exitCode = tally.different > 0 ? 1 : 0;
