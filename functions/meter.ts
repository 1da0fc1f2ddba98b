/**
 * What the handlers count. On AWS functions/aws/metrics.ts turns the counts into metrics. The
 * embedded host keeps none. infra/ uses the same names and units for alarms and the dashboard.
 */

export const METRICS = {
  Visits: "Count",
  /**
   * The nodes that check messages visited. It exceeds Visits, because a visit continues inline with
   * a node that it made ready.
   */
  NodesVisited: "Count",
  Preparations: "Count",
  DeadLetters: "Count",
  /** Requests that were answered with 500. A 503 of a busy service does not count. */
  Faults: "Count",
  StaleMessages: "Count",
  SyncPointArrivals: "Count",
  /** Arrivals that the SyncPoint refused, because they had arrived before. */
  SyncPointConflicts: "Count",
  RowConflicts: "Count",
  SweptMessages: "Count",
  TraversalSeconds: "Seconds",
} as const;

export type MetricName = keyof typeof METRICS;

export interface Meter {
  /** `outcome` is one of a few words and never an id: each value is a paid metric of its own. */
  add(metric: MetricName, value: number, outcome?: string): void;
}

export interface PublishingMeter extends Meter {
  publish(): void;
}

export const noMeter: Meter = { add: () => undefined };
