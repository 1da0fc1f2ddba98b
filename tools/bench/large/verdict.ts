import type { TableId, TableNames } from "#lib/adapters/aws/tables.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { FUNCTION_MEMORY_MB } from "../../../infra/capacity.ts";
import type { Phase } from "./life.ts";
import {
  PARTITION_READ_UNITS,
  PARTITION_WRITE_UNITS,
  type PartitionUnits,
} from "./watched-calls.ts";

export interface TableUse {
  readonly table: TableId;
  readonly writes: number;
  readonly reads: number;
  /** The share of the busiest partition in all units of its table. */
  readonly share: number;
  /** How long the busiest partition needs at its limits. */
  readonly seconds: number;
}

const TABLES_SHOWN = ["stacks", "resources", "syncPoints", "events"] as const;

const secondsOf = ({ reads, writes }: PartitionUnits): number =>
  Math.max(reads / PARTITION_READ_UNITS, writes / PARTITION_WRITE_UNITS);

export const tableUses = (phase: Phase, names: TableNames): readonly TableUse[] =>
  TABLES_SHOWN.map((table) => {
    const partitions = [...(phase.use.tables.get(names[table])?.values() ?? [])];
    let [reads, writes, most, seconds] = [0, 0, 0, 0];
    for (const units of partitions) {
      reads += units.reads;
      writes += units.writes;
      most = Math.max(most, units.reads + units.writes);
      seconds = Math.max(seconds, secondsOf(units));
    }
    return { table, writes, reads, share: most / Math.max(reads + writes, 1), seconds };
  });

/** The limit for 100,000 resources; a smaller stack gets a proportional part. */
const PARTITION_SECONDS_MAX = 120;
const RESOURCES_OF_IT = 100_000;
/** Neighbouring rows and the stack's own item take this long in any stack. */
const PARTITION_SECONDS_MIN = 10;

/** From this memory size on, Lambda gives a whole processor, and below it a proportional part. */
const MB_OF_PROCESSOR = 1_769;
const SHARE_OF_PROCESSOR =
  Math.min(FUNCTION_MEMORY_MB["prepare-traversal"], FUNCTION_MEMORY_MB["check-resource"]) /
  MB_OF_PROCESSOR;
export const FUNCTION_CPU_MS_MAX = Math.floor(VISIT_MS_MAX * SHARE_OF_PROCESSOR);

/**
 * A worker should read a part of a graph or a template record once for many visits. If a cache is
 * too small, every visit reads it again.
 */
const VISITS_OF_READ_MIN = 10;
const READS_MIN = 100;

const missesOf = ({ title, visits, use: { partReads, objectReads } }: Phase): readonly string[] => {
  const reads = partReads + objectReads;
  return reads > READS_MIN && reads * VISITS_OF_READ_MIN > visits
    ? [`${title}: ${visits} visits have read ${reads} parts of graphs and objects`]
    : [];
};

export const overShare = (
  phase: Phase,
  uses: readonly TableUse[],
  resources: number,
): readonly string[] => {
  const max = Math.max(
    (PARTITION_SECONDS_MAX * resources) / RESOURCES_OF_IT,
    PARTITION_SECONDS_MIN,
  );
  const hot = uses
    .filter(({ seconds }) => seconds > max)
    .map(({ table, seconds }) => `${phase.title}: a partition of ${table} takes ${seconds} s`);
  const slow =
    phase.prepareMs > VISIT_MS_MAX ? [`${phase.title}: a prepare takes ${phase.prepareMs} ms`] : [];
  const busy = [phase.prepareCpuMs, phase.batchCpuMs]
    .filter((ms) => ms > FUNCTION_CPU_MS_MAX)
    .map((ms) => `${phase.title}: a function takes ${Math.round(ms)} ms of the processor`);
  return [...hot, ...slow, ...busy, ...missesOf(phase)];
};
