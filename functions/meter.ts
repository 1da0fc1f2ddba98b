/**
 * What the handlers count. On AWS functions/aws/metrics.ts makes metrics of it; the embedded host
 * keeps no count. infra/ shares the names and units for its alarms and dashboard.
 */

export const METRICS = {
  /** Check messages, by the outcome of the visit that they asked for. */
  Visits: "Count",
  /**
   * Graph nodes that these visited, by outcome. A visit continues inline with a node that it made
   * ready.
   */
  NodesVisited: "Count",
  /** Prepare messages, by outcome. */
  Preparations: "Count",
  /** Messages that were delivered too often, by outcome. */
  DeadLetters: "Count",
  /** Requests that were answered with 500. A busy service is 503, and does not count. */
  Faults: "Count",
  /** Messages of any kind whose traversal was overtaken or had ended. */
  StaleMessages: "Count",
  /** Predecessors that arrived at a SyncPoint: one conditional write each. */
  SyncPointArrivals: "Count",
  /** Arrivals that the SyncPoint refused, because they had arrived before. */
  SyncPointConflicts: "Count",
  /** Conditional writes of rows that were refused, because another worker was faster. */
  RowConflicts: "Count",
  /** Messages that the sweeper sent, because one was lost or late. */
  SweptMessages: "Count",
  /** From the acceptance of a stack operation to its end, by outcome. */
  TraversalSeconds: "Seconds",
} as const;

export type MetricName = keyof typeof METRICS;

export interface Meter {
  /** `outcome` is one of a few words and never an id: each value is a paid metric of its own. */
  add(metric: MetricName, value: number, outcome?: string): void;
}

export interface PublishingMeter extends Meter {
  /** Writes what was added since the last call. Call it at the end of each event. */
  publish(): void;
}

export const noMeter: Meter = { add: () => undefined };
