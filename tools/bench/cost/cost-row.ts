import { type Dollars, dollarsOf, PARTS, totalOf } from "./dollars.ts";
import { edgesOf, type Graph } from "./graphs.ts";
import { count, readsOf, writesOf } from "./latency.ts";
import { LATENCY_MS } from "./prices.ts";
import type { Run } from "./run.ts";

export interface CostRow {
  readonly resources: number;
  readonly edges: number;
  /** Counts are per resource. They include events and the graph. */
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sends: number;
  readonly receives: number;
  readonly deletes: number;
  readonly invocations: number;
  /** Per thousand resources, like its parts. */
  readonly dollars: number;
  readonly parts: Dollars;
  readonly hopMs: number;
}

const PER = 1_000;

const perThousand = (dollars: Dollars, resources: number): Dollars => {
  const entries = PARTS.map((part) => [part, (dollars[part] / resources) * PER] as const);
  return { ...dollars, ...Object.fromEntries(entries) };
};

export const costRow = (graph: Graph, run: Run): CostRow => {
  const { usage, handled, streams, traversals } = run;
  const resources = Object.keys(graph).length;
  const sends = count(usage, "sqs SendMessageBatch");
  const receives = count(usage, "sqs ReceiveMessage");
  const deletes = count(usage, "sqs DeleteMessageBatch");
  // The supervisor's task is called once per operation.
  const invocations = handled.invocations + streams.events + streams.supervisor + traversals;
  const parts = perThousand(dollarsOf(run), resources);
  const hop =
    (writesOf(usage) / resources) * LATENCY_MS.write +
    (readsOf(usage) / resources) * LATENCY_MS.read +
    LATENCY_MS.work;
  return {
    resources,
    edges: edgesOf(graph),
    writeUnits: usage.writeUnits / resources,
    readUnits: usage.readUnits / resources,
    sends: sends / resources,
    receives: receives / resources,
    deletes: deletes / resources,
    invocations: invocations / resources,
    dollars: totalOf(parts),
    parts,
    hopMs: hop,
  };
};
