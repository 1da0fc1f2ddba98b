/**
 * `node test/simulation/directed/crash-points.ts [--nodes 12]` crashes before and after each port
 * call of the scenario, one crash a run. `--pairs 6` adds a second crash at every later moment of
 * each run (`--brief`: of the same request). `--large` plays the scenario as in a large stack.
 * `--all` also plays the events of interleaving.ts at each moment. `--crash 57:before [--crash
 * 93:after]` prints the story of one run. `--nodes` and `--pairs` also accept the name of a life,
 * such as `partial`. `--from 1` leaves out the moments of the first request.
 */
import { parseArgs } from "node:util";
import {
  type CrashAt,
  type CrashOptions,
  type CrashRun,
  crashRun,
  isLifeName,
} from "./crash-run.ts";
import { CRASH_NODES_MAX } from "./crash-scenario.ts";
import { INTERLEAVINGS } from "./interleaving.ts";

export interface CrashReport {
  readonly points: number;
  readonly runs: number;
  readonly failures: readonly string[];
}

const SIDES = ["before", "after"] as const;
export const EVENTS = [...SIDES, ...INTERLEAVINGS] as const;
const FAILURES_MAX = 20;

const replayOf = (
  { nodes, inline, large = false, partNodesMax }: CrashOptions,
  crashes: readonly CrashAt[],
): string =>
  `node test/simulation/directed/crash-points.ts --nodes ${nodes}${inline ? " --inline" : ""}` +
  (large ? " --large" : "") +
  (partNodesMax === undefined ? "" : ` --part-nodes ${partNodesMax}`) +
  crashes.map(({ call, when }) => ` --crash ${call}:${when}`).join("");

const failureOf = (
  options: CrashOptions,
  crashes: readonly CrashAt[],
  { failure, calls }: CrashRun,
): string => {
  const names = crashes.map(({ call, when }) => `${when} ${call} (${calls[call] ?? "?"})`);
  return `crash ${names.join(", ")}: ${failure}\n  ${replayOf(options, crashes)}`;
};

export const crashEverywhere = async (
  options: CrashOptions,
  events: readonly CrashAt["when"][] = SIDES,
  { fromRequest = 0, every = 1 } = {},
): Promise<CrashReport> => {
  const calm = await crashRun(options, []);
  const failures = calm.failure === null ? [] : [failureOf(options, [], calm)];
  const from = calm.requests[fromRequest] ?? 0;
  const points = Math.ceil((calm.calls.length - from) / every);
  let runs = 1;
  for (let call = from; call < calm.calls.length && failures.length < FAILURES_MAX; call += every) {
    for (const when of events) {
      const crashes = [{ call, when }];
      const run = await crashRun(options, crashes);
      if (!run.isVoid) runs++;
      if (run.failure !== null) failures.push(failureOf(options, crashes, run));
    }
  }
  return { points, runs, failures };
};

/**
 * A crash after a read has the same effect as one before it, because the worker is gone either way.
 * So only two kinds of moments differ: before a worker's first call, and after a call that may
 * write.
 */
const moments = (
  { calls, starts }: Pick<CrashRun, "calls" | "starts">,
  from: number,
): readonly CrashAt[] =>
  calls.flatMap((name, call): CrashAt[] => {
    if (call < from) return [];
    const before: CrashAt[] = starts.has(call) ? [{ call, when: "before" }] : [];
    return READS.test(name) ? before : [...before, { call, when: "after" }];
  });

const READS = /\.(get|list|poll)[A-Za-z]*$/;

const allMoments = ({ calls, starts }: CrashRun, from: number): readonly CrashAt[] => [
  ...moments({ calls, starts }, from),
  ...calls.flatMap((_, call) => (call < from ? [] : INTERLEAVINGS.map((when) => ({ call, when })))),
];

/**
 * Makes one run for each moment, and one more for each later moment of that run, with two events.
 */
export const crashInPairs = async (
  options: CrashOptions,
  { all = false, fromRequest = 0, every = 1 } = {},
): Promise<CrashReport> => {
  const momentsOf = all ? allMoments : moments;
  const calm = await crashRun(options, []);
  const firsts = momentsOf(calm, calm.requests[fromRequest] ?? 0);
  const points = Math.ceil(firsts.length / every);
  const failures: string[] = [];
  let runs = 1;
  for (const first of firsts.filter((_, index) => index % every === 0)) {
    const once = await crashRun(options, [first]);
    if (once.isVoid) continue;
    runs++;
    if (once.failure !== null) failures.push(failureOf(options, [first], once));
    for (const second of momentsOf(once, first.call + 1)) {
      const twice = await crashRun(options, [first, second]);
      if (twice.isVoid) continue;
      runs++;
      if (twice.failure !== null) failures.push(failureOf(options, [first, second], twice));
      if (failures.length >= FAILURES_MAX) return { points, runs, failures };
    }
  }
  return { points, runs, failures };
};

const crashFrom = (text: string): CrashAt => {
  const [call = "", what] = text.split(":");
  return { call: Number(call), when: EVENTS.find((event) => event === what) ?? "before" };
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      nodes: { type: "string", default: String(CRASH_NODES_MAX) },
      pairs: { type: "string" },
      crash: { type: "string", multiple: true },
      inline: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      "part-nodes": { type: "string" },
      brief: { type: "boolean", default: false },
      all: { type: "boolean", default: false },
      from: { type: "string", default: "0" },
    },
  });
  const { inline, large, brief, pairs, crash, all } = values;
  const asked = pairs ?? values.nodes;
  const nodes = isLifeName(asked) ? asked : Number(asked);
  const partNodes = values["part-nodes"];
  const partNodesMax = partNodes === undefined ? undefined : Number(partNodes);
  const options = { nodes, inline, large, partNodesMax, brief };
  if (crash !== undefined) {
    const { story, failure } = await crashRun(options, crash.map(crashFrom));
    console.log([...story, failure ?? "no failure"].join("\n"));
    process.exitCode = failure === null ? 0 : 1;
    return;
  }
  const { points, runs, failures } = await (pairs === undefined
    ? crashEverywhere(options, all ? EVENTS : SIDES, { fromRequest: Number(values.from) })
    : crashInPairs(options, { all, fromRequest: Number(values.from) }));
  for (const failure of failures) console.log(failure);
  console.log(
    `${options.nodes} resources: ${points} port calls, ${runs} runs, ${failures.length} failed`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
};

if (import.meta.main) await main();
