/**
 * `npm run bench:sweep [-- DIVISOR]` counts what one round of the sweeper costs on AWS: requests,
 * requests that wait for each other, and duplicates. DIVISOR makes every case that much smaller.
 */
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { type RoundCase, runRound } from "./sweep/round.ts";

const READ_MS = 4;
const SECOND_MS = 1_000;
const COLUMN = 12;
const TITLE = 52;

const CASES: readonly (RoundCase & { readonly title: string })[] = [
  {
    title: "10,000 stacks, each waits for one operation",
    stacks: 10_000,
    chains: 1,
    second: "operating",
    waitedMs: 600_000,
  },
  {
    title: "one stack of 600, 200 ready for 10 s",
    stacks: 1,
    chains: 200,
    second: "ready",
    waitedMs: 10_000,
  },
  {
    title: "one stack of 100,000, 33,333 ready for 10 s",
    stacks: 1,
    chains: 33_333,
    second: "ready",
    waitedMs: 10_000,
  },
  {
    title: "one stack of 100,000, 33,333 queued for 5 min",
    stacks: 1,
    chains: 33_333,
    second: "ready",
    waitedMs: 300_000,
  },
];

const divisor = Number(process.argv[2] ?? 1);
const smaller = (count: number): number => Math.max(1, Math.ceil(count / divisor));
const print = (title: string, ...cells: readonly (string | number)[]): void =>
  console.log(title.padEnd(TITLE) + cells.map((cell) => String(cell).padStart(COLUMN)).join(""));

print("one round", "requests", "in a row", `at ${READ_MS} ms`, "duplicates");
for (const { title, ...round } of CASES) {
  // Each case has tables and queues of its own.
  const target = await openAwsTarget();
  const cost = await runRound(target, {
    ...round,
    stacks: smaller(round.stacks),
    chains: smaller(round.chains),
  });
  const seconds = ((cost.inARow * READ_MS) / SECOND_MS).toFixed(1);
  print(title, cost.requests, cost.inARow, `${seconds} s`, cost.duplicates);
  await target.close();
}
