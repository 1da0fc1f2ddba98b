/**
 * `npm run bench:year [-- --lives 20 --deleted 2000]` tells what a year of use leaves and costs on
 * AWS. One tenant creates and deletes 1,000 stacks of 12 resources a day, and 10,000 servers poll.
 * It counts some lives of a stack through the real engine and adapters on emulators, and
 * multiplies. A year is long enough for everything to expire that expires.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { costRow } from "./cost/cost-row.ts";
import { graphOf } from "./cost/graphs.ts";
import { PRICES } from "./cost/prices.ts";
import { runTraversal } from "./cost/run.ts";
import { dollarsOf } from "./poll/dollars.ts";
import { pollForAnHour } from "./poll/hour.ts";
import { listCosts } from "./retention/listing.ts";
import { readStored } from "./year/stored.ts";

const STACKS_A_DAY = 1_000;
const RESOURCES = 12;
const SERVERS = 10_000;
const LIVING = 100;
const DAYS_A_MONTH = 30;
const DAYS_A_YEAR = 365;
/** The default of `retentionDays`. */
const RETENTION_DAYS = 30;
/** Its poll stands for those of all servers. */
const FLEET = { servers: 200, deployments: 2, workers: 3, choice: "first free" } as const;
/** One page of a query. */
const PAGE_UNITS = 256;
const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000 * MEGABYTE;
const PER_RESOURCES = 1_000;

const count = z.coerce.number().int().min(1);
const { values } = parseArgs({
  options: {
    lives: { type: "string", default: "20" },
    deleted: { type: "string", default: "2000" },
  },
});
const { lives, deleted } = z.object({ lives: count, deleted: count }).parse(values);

const print = (name: string, ...cells: readonly string[]): void =>
  console.log(`${name.padEnd(18)}${cells.map((cell) => cell.padStart(16)).join("")}`);
const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
const dollars = (amount: number): string => amount.toFixed(2);

const target = await openAwsTarget();
const { connection, place } = target;
const graph = graphOf("servers", RESOURCES);
let lifeDollars = 0;
for (let life = 0; life < lives; life++) {
  const row = costRow(graph, await runTraversal(connection, place, graph, { deletes: true }));
  lifeDollars += (row.dollars * row.resources) / PER_RESOURCES / lives;
}
const { tables, objects } = await readStored(target, Date.now());

console.log(`${lives} stacks of ${RESOURCES} resources were created and deleted.\n`);
print("table", "items a stack", "bytes a stack", "MB in a year", "MB more a year");
let stored = 0;
for (const { id, items, bytes, byteDays, lastingBytes } of tables) {
  const perDay = STACKS_A_DAY / lives;
  stored += byteDays * perDay;
  print(
    id,
    (items / lives).toFixed(1),
    (bytes / lives).toFixed(0),
    megabytes(byteDays * perDay),
    megabytes(lastingBytes * perDay * DAYS_A_YEAR),
  );
}
console.log(`objects in the bucket: ${(objects / lives).toFixed(1)} a stack\n`);

const hour = await pollForAnHour(connection, place, FLEET);
print("a month", "dollars");
print("stacks", dollars(lifeDollars * STACKS_A_DAY * DAYS_A_MONTH));
print("storage", dollars((stored / GIGABYTE) * PRICES.storedGigabyteMonth));
print("servers, one GET", dollars(dollarsOf(hour, false).total * SERVERS));
print("servers, stock", dollars(dollarsOf(hour, true).total * SERVERS));

const lists = await listCosts(target, deleted, LIVING);
const kept = STACKS_A_DAY * RETENTION_DAYS;
const all = lists.all.readUnits * ((kept + LIVING) / (deleted + LIVING));
console.log("");
print("list", "stacks", "read units", "requests");
print("living", String(LIVING), String(lists.living.readUnits), String(lists.living.requests));
print("deleted ones too", String(kept), all.toFixed(0), String(Math.ceil(all / PAGE_UNITS)));
await target.close();
