import * as z from "zod";
import { chosenBy } from "#test/lanes/chosen.ts";
import { configurations } from "./configurations.ts";
import { progress } from "./progress.ts";
import { keptResults } from "./results.ts";
import { runOnThreads } from "./threads.ts";

export interface ExhaustiveOptions {
  readonly statesMax: number;
  readonly each: number;
  readonly from: number;
  readonly only: string | undefined;
}

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

const SOURCES = [
  "lib/**/*.ts",
  "test/prove/!(random*).ts",
  "test/simulation/world/{checkers,types,slow-types,type-variants,spec,violation}.ts",
  "test/simulation/world/{nested-checkers,group-checkers,group-spec,roll-watch}.ts",
  "test/simulation/world/{scaling-checkers,unanswered-deletes,watched-blobs}.ts",
];

const sumOf = (reports: ReadonlyMap<string, Report>, of: (report: Report) => number): number =>
  [...reports.values()].reduce((total, report) => total + of(report), 0);

export const searchAll = async (options: ExhaustiveOptions): Promise<number> => {
  const { statesMax, each, from, only } = options;
  const kept = keptResults(SOURCES, "", Report);
  const reports = new Map(kept.former.map((report) => [report.title, report]));
  const states = (): number => sumOf(reports, (report) => report.states);
  if (reports.size > 0) console.log(`${reports.size} configurations were searched before`);
  const bar = progress(statesMax, states(), "states");
  const numbered = configurations().map(({ title }, number) => ({ title, number }));
  const todo = chosenBy(only, numbered.slice(from), ({ title }) => title).filter(
    ({ title }) => !reports.has(title),
  );

  const next = (): object | undefined => {
    const task = states() < statesMax ? todo.shift() : undefined;
    return task === undefined ? undefined : { number: task.number, statesMax: each };
  };
  await runOnThreads(new URL("./prove-worker.ts", import.meta.url), next, (sent) => {
    const { report } = Answer.parse(sent);
    reports.set(report.title, report);
    kept.add(report);
    if (report.violation !== null) {
      console.log(`${report.title}: ${report.violation.what}`);
      for (const line of report.violation.trace) console.log(`  ${line}`);
    }
    bar.show(states(), `${reports.size} configurations`);
  });
  bar.end();

  const complete = sumOf(reports, ({ isComplete }) => Number(isComplete));
  const violations = sumOf(reports, ({ violation }) => Number(violation !== null));
  const moves = sumOf(reports, (report) => report.moves);
  console.log(
    `${states().toLocaleString("en")} states and ${moves.toLocaleString("en")} moves in ${reports.size} configurations, ${complete} of them to the end; ${violations} violations`,
  );
  return violations;
};
