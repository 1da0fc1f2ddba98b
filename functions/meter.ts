/**
 * What the handlers count, whoever keeps the count: the cloud writes metrics of it (cloud/metrics.ts), the
 * embedded host keeps none. Names and units are shared with infra/, whose alarms and pages read them.
 */

export const METRICS = {
  /** Check messages that were worked off, by the outcome of the visit they asked for. */
  Visits: "Count",
  /** Nodes of graphs that these visited, by outcome: a visit goes on inline with what it makes ready. */
  NodesVisited: "Count",
  /** Prepare messages, by outcome. */
  Preparations: "Count",
  /** Messages that were delivered too often, by what became of them. */
  DeadLetters: "Count",
  /** Messages of any kind whose traversal was overtaken or had ended. */
  StaleMessages: "Count",
  /** Predecessors that reported to a SyncPoint: one conditional write each. */
  SyncPointArrivals: "Count",
  /** Those that the SyncPoint refused, because they had arrived before. */
  SyncPointConflicts: "Count",
  /** Conditional writes of rows that were refused: another worker was faster. */
  RowConflicts: "Count",
  /** What the sweeper had to send, because it was lost or late. */
  SweptMessages: "Count",
  /** From the acceptance of a stack operation to its end, by how it ended. */
  TraversalSeconds: "Seconds",
} as const;

export type MetricName = keyof typeof METRICS;

export interface Meter {
  /** `outcome` is one of a few words and never an id: each one makes a metric of its own, and is paid for. */
  add(metric: MetricName, value: number, outcome?: string): void;
}

export const noMeter: Meter = { add: () => undefined };
