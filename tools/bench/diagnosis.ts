/**
 * `npm run bench -- diagnosis [--only WORDS]` causes faults of deployments and prints how long each
 * takes until its diagnosis is correct. Agents poll at their usual interval in real time, so a run
 * takes six minutes. The exit code is 1 if a diagnosis was late, or named another stage before. It
 * needs Python 3.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openClient } from "#client/client.ts";
import { SERVICE_PACE } from "#providers/boot/bootstrap-script.ts";
import { type Diagnosis, diagnosisOf } from "#test/agents/diagnoses.ts";
import type { Rig } from "#test/agents/rig.ts";
import { installStockAgents } from "#test/agents/stock-agents.ts";
import { startHost } from "#test/crash/host-process.ts";
import { BOOTS } from "./diagnosis/boots.ts";
import type { Case, Caused } from "./diagnosis/case.ts";
import { RUNS } from "./diagnosis/runs.ts";

const LOOK_MS = 250;
const MS_PER_SECOND = 1_000;
const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
const { only = "" } = parseArgs({ options: { only: { type: "string" } } }).values;

type Verdict = Diagnosis["verdict"];

const said = ({ stage, cause, certain }: Omit<Verdict, "summary" | "advice">): string =>
  `${stage ?? "–"} | \`${cause}\` | ${certain ? "yes" : "no"}`;

interface Outcome {
  readonly seconds: number;
  readonly before: readonly string[];
  readonly wrong: readonly string[];
}

const watch = async (rig: Rig, wanted: Case, { stack, at }: Caused): Promise<Outcome> => {
  const before: string[] = [];
  const strayed = new Set<number>();
  for (;;) {
    const verdict = (await diagnosisOf(rig, stack, "run").catch(() => null))?.verdict;
    const seconds = (Date.now() - at) / MS_PER_SECOND;
    const wrong = [...strayed].map((stage) => `it named stage ${stage} before`);
    const isTrue =
      verdict && said(verdict) === said(wanted) && wanted.summary.test(verdict.summary);
    if (isTrue && seconds <= wanted.secondsMax) return { seconds, before, wrong };
    if (seconds > wanted.secondsMax) {
      const late = `after ${wanted.secondsMax} s it says: ${verdict?.summary ?? "nothing"}`;
      return { seconds, before, wrong: [...wrong, late] };
    }
    if (verdict && verdict.cause !== before.at(-1)) before.push(verdict.cause);
    const stage = verdict?.stage ?? null;
    if (stage !== null && stage !== wanted.stage && stage !== wanted.before) strayed.add(stage);
    await pause(LOOK_MS);
  }
};

const openRig = async (folder: string): Promise<Rig> => {
  mkdirSync(DATA, { recursive: true });
  const agents = await installStockAgents(join(DATA, "stock-agents"), folder);
  const host = startHost(folder, { HEARTH_LOG: "silent" });
  const connection = { endpoint: await host.ready(), project: "demo", token: undefined };
  return {
    agents,
    folder,
    connection,
    client: openClient(connection),
    agentPace: SERVICE_PACE,
    host,
  };
};

/**
 * The faults are caused one after another and watched in parallel.
 * @returns how many diagnoses were wrong.
 */
const playAll = async (rig: Rig): Promise<number> => {
  const cases = [...BOOTS, ...RUNS].filter(({ fault }) => fault.includes(only));
  const watched: { readonly one: Case; readonly outcome: Promise<Outcome> }[] = [];
  for (const one of cases) {
    const caused = await one.bring(rig);
    watched.push({ one, outcome: watch(rig, one, caused) });
  }
  console.log("| fault | stage | cause | certain | time | said before |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  let failed = 0;
  for (const { one, outcome } of watched) {
    const { seconds, before, wrong } = await outcome;
    const earlier = before.map((cause) => `\`${cause}\``).join(", ");
    console.log(`| ${one.fault} | ${said(one)} | ${seconds.toFixed(1)} s | ${earlier} |`);
    for (const text of wrong) console.log(`WRONG: ${text}`);
    if (wrong.length > 0) failed += 1;
  }
  return failed;
};

const folder = mkdtempSync(join(tmpdir(), "hearth-diagnosis-"));
const end = (code: number): never => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end(1));

const rig = await openRig(folder);
const failed = await playAll(rig);
await rig.host?.stop();
const load = loadavg().map((one) => one.toFixed(1));
console.log(`load average ${load.join(", ")}; ${failed} wrong`);
end(failed === 0 ? 0 : 1);
