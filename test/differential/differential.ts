/**
 * `npm run test:differential -- --seed 1 --count 2000 --which parameters` compares Hearth with
 * Heat's own library. HEARTH_HEAT_PYTHONPATH names the folder of an installed openstack-heat, and
 * HEARTH_HEAT_PYTHON its Python. Each question has its own seed, so one command replays it.
 */
import { parseArgs } from "node:util";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { type Heat, startHeat } from "./ask-heat.ts";
import { environments } from "./environments.ts";
import type { Lane } from "./lane.ts";
import { parameters } from "./parameters.ts";

const LANES: readonly Lane[] = [parameters, environments];
const COUNT_MAX = 1_000_000;
const SHOWN_MAX = 20;

const textOf = (value: JsonObject): string => jsonText(value, { sortKeys: false });

/** Null: both answer the same. */
const difference = async (heat: Heat, lane: Lane, seed: number): Promise<string | null> => {
  const question = lane.question(memoryRandom(seed));
  const theirs = await heat.ask({ operation: lane.operation, ...question });
  const want = textOf(lane.compared(theirs, question));
  const got = textOf(lane.compared(lane.ours(question), question));
  if (want === got) return null;
  return `asked  ${textOf(question)}\nHeat   ${want}\nHearth ${got}`;
};

const run = async (heat: Heat, lane: Lane, first: number, count: number): Promise<number> => {
  let different = 0;
  for (let seed = first; seed < first + count; seed++) {
    const found = await difference(heat, lane, seed);
    if (found === null) continue;
    different += 1;
    if (different > SHOWN_MAX) continue;
    const replay = `--which ${lane.operation} --seed ${seed} --count 1`;
    console.log(`npm run test:differential -- ${replay}\n${found}\n`);
  }
  console.log(`${lane.operation}: ${count} questions, ${different} answered differently`);
  return different;
};

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "2000" },
    which: { type: "string" },
  },
});
const count = Number(values.count);
const lanes = LANES.filter(({ operation }) => (values.which ?? operation) === operation);
const pythonPath = process.env["HEARTH_HEAT_PYTHONPATH"];
if (pythonPath === undefined) throw new Error("HEARTH_HEAT_PYTHONPATH names no openstack-heat");
if (!(count >= 1 && count <= COUNT_MAX)) throw new Error(`--count is 1 to ${COUNT_MAX}`);
if (lanes.length === 0)
  throw new Error(`--which is ${LANES.map((lane) => lane.operation).join(", ")}`);

const heat = startHeat(pythonPath, process.env["HEARTH_HEAT_PYTHON"] ?? "python3");
let different = 0;
for (const lane of lanes) different += await run(heat, lane, Number(values.seed), count);
heat.end();
process.exitCode = different > 0 ? 1 : 0;
