/**
 * `npm run bench -- cost [SIZE] [--long]` counts what a traversal of SIZE resources costs on AWS,
 * per resource and for several graphs. The graph of servers is counted with larger properties too,
 * and with a slow provider. `--long` also compares the widest fan-in.
 */
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { type CostRow, costRow } from "./cost/cost-row.ts";
import { PARTS } from "./cost/dollars.ts";
import { arrivals, type FanInCost } from "./cost/fan-in.ts";
import { GRAPHS, graphOf } from "./cost/graphs.ts";
import { LATENCY_MS } from "./cost/prices.ts";
import { type RunOptions, runTraversal } from "./cost/run.ts";
import { versionLoop } from "./cost/version-loop.ts";

const RESOURCES = 1_000;
const FAN_INS = [100, 300, 1_000];
/** The version loop takes minutes for a wider fan-in. */
const SHORT_LOOP_MAX = 300;
const COLUMN = 11;
const KILOBYTE = 1_000;
const PROPERTY_BYTES = [0, 500, 1_500, 4_000];
/** The size of a property that functions compute, so the template does not contain it. */
const MADE_BYTES = 1_500;
/** The first poll of the shorter wait needs no write (P26). */
const POLLED_MS = [3_000, 5_000];
const SECOND_MS = 1_000;

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

const servers = graphOf("servers", size);
const serversRow = async (options: RunOptions): Promise<CostRow> =>
  costRow(servers, await runTraversal(connection, place, servers, options));
const rows: [string, CostRow][] = [];
for (const bytes of PROPERTY_BYTES)
  rows.push([`${bytes / KILOBYTE} KB`, await serversRow({ properties: { bytes } })]);
const made = { bytes: MADE_BYTES, isMade: true };
rows.push([`${MADE_BYTES / KILOBYTE} made`, await serversRow({ properties: made })]);
for (const waitMs of POLLED_MS)
  rows.push([`polled ${waitMs / SECOND_MS} s`, await serversRow({ waitMs })]);
console.log(
  "\nThe servers graph, by the sealed size of each resource's properties, and with a provider that takes a while\n",
);
print("properties", "write u.", "read u.", "invocat.", "dollars");
for (const [name, row] of rows)
  print(name, row.writeUnits, row.readUnits, row.invocations, row.dollars);
console.log("\nThe dollars for 1,000 resources by what they pay, in one stack\n");
print("properties", ...PARTS);
for (const [name, { parts }] of rows) print(name, ...PARTS.map((part) => parts[part].toFixed(5)));

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
