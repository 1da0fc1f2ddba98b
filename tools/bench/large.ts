/**
 * `npm run bench -- large [RESOURCES]` runs the life of a large stack through the real engine and
 * the AWS adapters, with services in this process. It fails if a call exceeds a limit of its
 * service, or if a partition gets more than its share.
 */
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { openInProcessTarget } from "#test/aws/in-process/target.ts";
import { lifeOfLargeStack, type Phase } from "./large/life.ts";
import { FUNCTION_CPU_MS_MAX, overShare, type TableUse, tableUses } from "./large/verdict.ts";
import { SERVICE_LIMITS } from "./large/watched-calls.ts";

const RESOURCES = 100_000;
const TITLE = 32;
const COLUMN = 11;
const SECOND_MS = 1_000;
const MICROSECONDS_PER_MS = 1_000;
const PERCENT = 100;
const MEGABYTE = 1_000_000;

const print = (title: string, ...cells: readonly (string | number)[]): void =>
  console.log(title.padEnd(TITLE) + cells.map((cell) => String(cell).padStart(COLUMN)).join(""));

const seconds = (ms: number): string => `${(ms / SECOND_MS).toFixed(1)} s`;

const printPhase = (phase: Phase, uses: readonly TableUse[], cpuMs: number): void => {
  const { title, use, visits, prepares } = phase;
  const memory = `${Math.round(process.memoryUsage().rss / MEGABYTE)} MB`;
  const reads = [use.partReads, use.objectReads];
  print(title, use.requests, visits, use.messages, ...reads, seconds(cpuMs), memory);
  const cells = [seconds(phase.prepareMs), seconds(phase.prepareCpuMs), seconds(phase.batchCpuMs)];
  print(`  functions`, prepares, ...cells);
  for (const { table, writes, reads, share, seconds: busiest } of uses) {
    const shown = [writes.toFixed(0), reads.toFixed(0), `${(share * PERCENT).toFixed(1)} %`];
    print(`  ${table}`, ...shown, `${busiest.toFixed(1)} s`);
  }
};

const printLargest = (phases: readonly Phase[]): void => {
  console.log("\nThe limit of each service, and the largest of each phase\n");
  print("", "limit", ...phases.map((_, at) => `phase ${at + 1}`));
  for (const [kind, limit] of Object.entries(SERVICE_LIMITS)) {
    const sizes = phases.map(({ use }) => Object.entries(use.largest));
    print(kind, limit, ...sizes.map((all) => all.find(([name]) => name === kind)?.[1] ?? 0));
  }
  print("prepare, ms by the model", VISIT_MS_MAX, ...phases.map(({ prepareMs }) => prepareMs));
  const ofPrepares = phases.map(({ prepareCpuMs }) => Math.round(prepareCpuMs));
  print("prepare, ms of the processor", FUNCTION_CPU_MS_MAX, ...ofPrepares);
  const ofBatches = phases.map(({ batchCpuMs }) => Math.round(batchCpuMs));
  print("visits, ms of the processor", FUNCTION_CPU_MS_MAX, ...ofBatches);
};

const resources = Number(process.argv[2] ?? RESOURCES);
const target = await openInProcessTarget();
const over: string[] = [];
const phases: Phase[] = [];
print("phase", "requests", "visits", "messages", "parts", "objects", "processor", "memory");
print("  functions", "prepares", "longest", "processor", "visits");
print("  table", "writes", "reads", "share", "busiest");
let begun = process.cpuUsage();
try {
  for await (const phase of lifeOfLargeStack(target, resources)) {
    // A phase may have a hundred thousand partitions, so they are dropped after their check.
    phases.push({ ...phase, use: { ...phase.use, tables: new Map() } });
    const uses = tableUses(phase, target.place.tables);
    const { user, system } = process.cpuUsage(begun);
    printPhase(phase, uses, (user + system) / MICROSECONDS_PER_MS);
    begun = process.cpuUsage();
    over.push(...overShare(phase, uses, resources));
  }
} finally {
  printLargest(phases);
}
await target.close();
for (const sentence of over) console.log(sentence);
process.exitCode = over.length === 0 ? 0 : 1;
