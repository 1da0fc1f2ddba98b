/**
 * Every crash point. `node test/simulation/directed/crash-points.ts [--nodes 12]` crashes before
 * and after each port call of the scenario, one crash a run. `--pairs 6` adds a second crash at
 * every later moment of each run (`--brief`: of the same request). `--crash 57:before [--crash
 * 93:after]` tells the story of one run.
 */
import { parseArgs } from "node:util";
import { type CrashAt, type CrashOptions, type CrashRun, crashRun } from "./crash-run.ts";
import { CRASH_NODES_MAX } from "./crash-scenario.ts";

export interface CrashReport {
  /** The port calls of the run without a crash. */
  readonly points: number;
  readonly runs: number;
  /** Each failure names the command that replays it. */
  readonly failures: readonly string[];
}

const NAMED = ["batches", "groups", "scaling"] as const;
const SIDES = ["before", "after"] as const;
const FAILURES_MAX = 20;

const replayOf = (
  { nodes, inline, partNodesMax }: CrashOptions,
  crashes: readonly CrashAt[],
): string =>
  `node test/simulation/directed/crash-points.ts --nodes ${nodes}${inline ? " --inline" : ""}` +
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

/** One run for each side of each port call. */
export const crashEverywhere = async (options: CrashOptions): Promise<CrashReport> => {
  const calm = await crashRun(options, []);
  const failures = calm.failure === null ? [] : [failureOf(options, [], calm)];
  let runs = 1;
  for (let call = 0; call < calm.calls.length && failures.length < FAILURES_MAX; call++) {
    for (const when of SIDES) {
      const crashes = [{ call, when }];
      const run = await crashRun(options, crashes);
      runs++;
      if (run.failure !== null) failures.push(failureOf(options, crashes, run));
    }
  }
  return { points: calm.calls.length, runs, failures };
};

/**
 * A crash after a read has the same effect as one before it, because the worker is gone either way.
 * So only two kinds of moments differ: before a worker's first call, and after a call that may
 * write.
 */
const moments = ({ calls, starts }: CrashRun, from: number): readonly CrashAt[] =>
  calls.flatMap((name, call): CrashAt[] => {
    if (call < from) return [];
    const before: CrashAt[] = starts.has(call) ? [{ call, when: "before" }] : [];
    return READS.test(name) ? before : [...before, { call, when: "after" }];
  });

const READS = /\.(get|list|poll)[A-Za-z]*$/;

/**
 * For each moment, a run that crashes there. For each later moment of that run, one more that
 * crashes at both.
 */
export const crashInPairs = async (options: CrashOptions): Promise<CrashReport> => {
  const calm = await crashRun(options, []);
  const failures: string[] = [];
  let runs = 1;
  for (const first of moments(calm, 0)) {
    const once = await crashRun(options, [first]);
    runs++;
    if (once.failure !== null) failures.push(failureOf(options, [first], once));
    for (const second of moments(once, first.call + 1)) {
      const twice = await crashRun(options, [first, second]);
      runs++;
      if (twice.failure !== null) failures.push(failureOf(options, [first, second], twice));
      if (failures.length >= FAILURES_MAX) return { points: calm.calls.length, runs, failures };
    }
  }
  return { points: calm.calls.length, runs, failures };
};

const crashFrom = (text: string): CrashAt => {
  const [call = "", when] = text.split(":");
  return { call: Number(call), when: when === "after" ? "after" : "before" };
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      nodes: { type: "string", default: String(CRASH_NODES_MAX) },
      pairs: { type: "string" },
      crash: { type: "string", multiple: true },
      inline: { type: "boolean", default: false },
      "part-nodes": { type: "string" },
      brief: { type: "boolean", default: false },
    },
  });
  const { inline, brief, pairs, crash } = values;
  const asked = pairs ?? values.nodes;
  const nodes = NAMED.find((name) => name === asked) ?? Number(asked);
  const partNodes = values["part-nodes"];
  const partNodesMax = partNodes === undefined ? undefined : Number(partNodes);
  const options = { nodes, inline, partNodesMax, brief };
  if (crash !== undefined) {
    const { story, failure } = await crashRun(options, crash.map(crashFrom));
    console.log([...story, failure ?? "no failure"].join("\n"));
    process.exitCode = failure === null ? 0 : 1;
    return;
  }
  const { points, runs, failures } = await (pairs === undefined
    ? crashEverywhere(options)
    : crashInPairs(options));
  for (const failure of failures) console.log(failure);
  console.log(
    `${options.nodes} resources: ${points} port calls, ${runs} runs, ${failures.length} failed`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
};

if (import.meta.main) await main();
