/**
 * `npm run bench:large [-- RESOURCES]` plays the life of a large stack through the real engine and
 * the AWS adapters, on services in this process. Each call is held against the limits of its
 * service, and each partition against its share. It fails if one is over. A phase is printed when
 * it ends.
 */
import { openInProcessTarget } from "#test/aws/in-process/target.ts";
import { lifeOfLargeStack } from "./large/life.ts";
import { overShare, tableUses } from "./large/verdict.ts";
import { type Largest, SERVICE_LIMITS } from "./large/watched-calls.ts";

const RESOURCES = 100_000;
const TITLE = 32;
const COLUMN = 11;
const SECOND_MS = 1_000;
const PERCENT = 100;
const MEGABYTE = 1_000_000;

const print = (title: string, ...cells: readonly (string | number)[]): void =>
  console.log(title.padEnd(TITLE) + cells.map((cell) => String(cell).padStart(COLUMN)).join(""));

const resources = Number(process.argv[2] ?? RESOURCES);
const target = await openInProcessTarget();
const over: string[] = [];
let largest: Partial<Largest> = {};
print("phase", "requests", "visits", "prepares", "longest", "processor", "took", "memory");
print("  table", "writes", "reads", "share", "busiest");
let begun = performance.now();
for await (const phase of lifeOfLargeStack(target, resources)) {
  const uses = tableUses(phase, target.place.tables);
  const times = [phase.prepareMs, phase.prepareCpuMs, performance.now() - begun];
  const seconds = times.map((ms) => `${(ms / SECOND_MS).toFixed(1)} s`);
  const memory = `${Math.round(process.memoryUsage().rss / MEGABYTE)} MB`;
  print(phase.title, phase.use.requests, phase.visits, phase.prepares, ...seconds, memory);
  for (const { table, writes, reads, share, seconds: busiest } of uses) {
    const cells = [writes.toFixed(0), reads.toFixed(0), `${(share * PERCENT).toFixed(1)} %`];
    print(`  ${table}`, ...cells, `${busiest.toFixed(1)} s`);
  }
  begun = performance.now();
  over.push(...overShare(phase, uses, resources));
  const found = Object.entries(phase.use.largest);
  largest = Object.fromEntries(
    found.map(([kind, size]) => [
      kind,
      Math.max(size, Object.entries(largest).find(([name]) => name === kind)?.[1] ?? 0),
    ]),
  );
}
console.log("\nThe largest of all calls, and the limit of its service\n");
for (const [kind, limit] of Object.entries(SERVICE_LIMITS))
  print(kind, Object.entries(largest).find(([name]) => name === kind)?.[1] ?? 0, limit);
await target.close();
for (const sentence of over) console.log(sentence);
process.exitCode = over.length === 0 ? 0 : 1;
