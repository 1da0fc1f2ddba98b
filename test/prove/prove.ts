/**
 * `npm run prove`: searches the configurations on all processors until the states that were asked for
 * have been met. What was searched is kept in .data/prove and not searched again, unless the engine
 * or the search has changed since.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import logUpdate from "log-update";
import * as z from "zod";
import { configurations } from "./configurations.ts";

const STATES = 100_000_000;
const STATES_OF_ONE_MAX = 4_000_000;

const { values } = parseArgs({
  options: {
    states: { type: "string" },
    each: { type: "string" },
    from: { type: "string" },
    only: { type: "string" },
  },
});

const Report = z.object({
  title: z.string(),
  states: z.int(),
  moves: z.int(),
  workers: z.int(),
  ends: z.int(),
  isComplete: z.boolean(),
  violation: z.object({ what: z.string(), trace: z.array(z.string()) }).nullable(),
});
type Report = z.infer<typeof Report>;
const Answer = z.object({ number: z.int(), report: Report });

const root = resolve(import.meta.dirname, "../..");
const sources = ["lib/**/*.ts", "test/prove/*.ts", "test/simulation/{checkers,types,spec}.ts"];

/** Results belong to the very source that they were found with. */
const digest = (): string => {
  const hash = createHash("sha256");
  for (const path of globSync(sources, { cwd: root }).toSorted()) {
    hash.update(readFileSync(join(root, path)));
  }
  return hash.digest("hex").slice(0, 16);
};

const folder = join(root, ".data/prove");
const file = join(folder, `${digest()}.jsonl`);
mkdirSync(folder, { recursive: true });

const statesMax = Number(values.states ?? STATES);
const each = Number(values.each ?? STATES_OF_ONE_MAX);
const reports = new Map<string, Report>();
if (existsSync(file)) {
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const report = Report.parse(JSON.parse(line));
    reports.set(report.title, report);
  }
}
const resumed = reports.size;
const statesBefore = [...reports.values()].reduce((sum, { states }) => sum + states, 0);

const startedAt = performance.now();
const sum = (of: (report: Report) => number): number =>
  [...reports.values()].reduce((total, report) => total + of(report), 0);

const show = (): void => {
  const states = sum((report) => report.states);
  const seconds = (performance.now() - startedAt) / 1_000;
  const speed = (states - statesBefore) / seconds;
  const left = speed > 0 ? Math.ceil((statesMax - states) / speed / 60) : 0;
  const share = Math.min(states / statesMax, 1);
  const bar = "#".repeat(Math.round(share * 30)).padEnd(30, ".");
  const text = `[${bar}] ${states.toLocaleString("en")} states, ${reports.size} configurations, ${Math.round(speed).toLocaleString("en")} states/s, ${left} min left`;
  if (process.stdout.isTTY) logUpdate(text);
};

const todo = configurations()
  .map(({ title }, number) => ({ title, number }))
  .slice(Number(values.from ?? 0))
  .filter(({ title }) => values.only === undefined || title.includes(values.only))
  .filter(({ title }) => !reports.has(title));

const violations = (): readonly Report[] =>
  [...reports.values()].filter(({ violation }) => violation !== null);

const runOne = (worker: Worker): void => {
  const next = sum((report) => report.states) < statesMax ? todo.shift() : undefined;
  if (next === undefined) void worker.terminate();
  else worker.postMessage({ number: next.number, statesMax: each });
};

const work = (): Promise<void> =>
  new Promise((done, fail) => {
    const worker = new Worker(new URL("./prove-worker.ts", import.meta.url));
    worker.on("message", (sent: unknown) => {
      const { report } = Answer.parse(sent);
      reports.set(report.title, report);
      appendFileSync(file, `${JSON.stringify(report)}\n`);
      if (report.violation !== null) {
        console.log(`${report.title}: ${report.violation.what}`);
        for (const line of report.violation.trace) console.log(`  ${line}`);
      }
      show();
      runOne(worker);
    });
    worker.on("error", fail);
    worker.on("exit", () => done());
    runOne(worker);
  });

if (resumed > 0) console.log(`${resumed} configurations were searched before`);
await Promise.all(Array.from({ length: availableParallelism() }, work));
if (process.stdout.isTTY) logUpdate.done();
const complete = [...reports.values()].filter(({ isComplete }) => isComplete).length;
console.log(
  `${sum((report) => report.states).toLocaleString("en")} states and ${sum((report) => report.moves).toLocaleString("en")} moves in ${reports.size} configurations, ${complete} of them to the end; ${violations().length} violations`,
);
process.exitCode = violations().length > 0 ? 1 : 0;
