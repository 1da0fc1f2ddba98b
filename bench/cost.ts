/**
 * `npm run bench:cost [-- SIZE] [--long]` counts what a traversal costs on AWS, per resource and
 * for each graph. The adapters count their own requests. SIZE is the number of resources. `--long`
 * also compares the widest fan-in.
 */
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { type CostRow, costRow } from "./cost/cost-row.ts";
import { arrivals, type FanInCost } from "./cost/fan-in.ts";
import { GRAPHS, graphOf } from "./cost/graphs.ts";
import { LATENCY_MS } from "./cost/prices.ts";
import { runTraversal } from "./cost/run.ts";
import { versionLoop } from "./cost/version-loop.ts";

const RESOURCES = 1_000;
const FAN_INS = [100, 300, 1_000];
/** The version loop takes minutes for a wider fan-in. */
const SHORT_LOOP_MAX = 300;
const COLUMN = 11;

const print = (...cells: readonly (string | number)[]): void => {
  const texts = cells.map((cell) => (typeof cell === "string" ? cell : rounded(cell)));
  console.log(texts.map((text) => text.padStart(COLUMN)).join(""));
};
const rounded = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(value < 0.1 ? 4 : 3);

const cellsOf = (row: CostRow): readonly number[] => [
  row.resources,
  row.edges,
  row.writeUnits,
  row.readUnits,
  row.sends,
  row.receives,
  row.deletes,
  row.invocations,
  row.dollars,
];

const fanInCells = (cost: FanInCost): readonly number[] => [
  cost.reads,
  cost.writes,
  cost.writeUnits,
];

const given = process.argv.slice(2);
const isLong = given.includes("--long");
const size = Number(given.find((argument) => argument !== "--long") ?? RESOURCES);
const { connection, place, close } = await openAwsTarget();

console.log("Per resource, creating a stack; dollars per 1,000 resources\n");
print(
  "graph",
  "resources",
  "edges",
  "write u.",
  "read u.",
  "sends",
  "receives",
  "deletes",
  "invocat.",
  "dollars",
);
let chainHopMs = 0;
for (const name of GRAPHS) {
  const graph = graphOf(name, size);
  const row = costRow(graph, await runTraversal(connection, place, graph));
  if (name === "chain") chainHopMs = row.hopMs;
  print(name, ...cellsOf(row));
}

const { write, read, send, queue, work } = LATENCY_MS;
const queued = chainHopMs + send + queue;
console.log(
  `\nOne hop of the chain, at ${write} ms a write, ${read} ms a read, ${work} ms of work:`,
);
print("inline", `${chainHopMs.toFixed(1)} ms`);
print("queued", `${queued.toFixed(1)} ms`, `(+ ${send} send, ${queue} receive)`);

console.log(
  "\nA fan-in alone: reads, writes and write units of Hearth, and of a loop that writes by version\n",
);
print("fan-in", "reads", "writes", "write u.", "loop reads", "writes", "write u.");
for (const fanIn of FAN_INS) {
  const ours = fanInCells(await arrivals(connection, place, fanIn));
  const isMeasured = isLong || fanIn <= SHORT_LOOP_MAX;
  const loop = isMeasured ? fanInCells(await versionLoop(connection, place, fanIn)) : ["--long"];
  print(fanIn, ...ours, ...loop);
}
await close();
