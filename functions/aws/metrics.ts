/**
 * Metrics in CloudWatch's embedded format: log lines that name which of their members are metrics.
 * So no function waits for a metrics service, and a worker's end loses no metrics.
 */
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { MiddlewareObj } from "@middy/core";
import type { Store } from "#lib/ports/store.ts";
import { METRICS, type Meter, type MetricName, type PublishingMeter } from "../meter.ts";
import { METRICS_NAMESPACE, SERVICE } from "./environment.ts";

/**
 * CloudWatch accepts a hundred values of a metric in one line. Powertools would write the line
 * itself at that size.
 */
const VALUES_PER_LINE_MAX = 99;

const UNITS = { Count: MetricUnit.Count, Seconds: MetricUnit.Seconds } as const;

type Counted = Map<MetricName, number[]>;

/**
 * The dimensions are `service` and `stage`. A metric with an outcome is also written with that
 * dimension, so that a sum over all outcomes needs no list of them.
 */
export const openMeter = (stage: string): PublishingMeter => {
  const metrics = new Metrics({
    namespace: METRICS_NAMESPACE,
    serviceName: SERVICE,
    defaultDimensions: { stage },
  });
  const byOutcome = new Map<string | undefined, Counted>();

  const writeLine = (outcome: string | undefined, counted: Counted, from: number): boolean => {
    const line = [...counted].map(
      ([name, values]) => [name, values.slice(from, from + VALUES_PER_LINE_MAX)] as const,
    );
    for (const [name, values] of line) {
      for (const value of values) metrics.addMetric(name, UNITS[METRICS[name]], value);
    }
    if (!metrics.hasStoredMetrics()) return false;
    if (outcome !== undefined) metrics.addDimension("outcome", outcome).addDimensions({});
    metrics.publishStoredMetrics();
    return true;
  };

  return {
    add: (metric, value, outcome) => {
      const counted: Counted = byOutcome.get(outcome) ?? new Map();
      byOutcome.set(outcome, counted);
      const values = counted.get(metric) ?? [];
      counted.set(
        metric,
        METRICS[metric] === "Count" ? [(values[0] ?? 0) + value] : [...values, value],
      );
    },
    publish: () => {
      for (const [outcome, counted] of byOutcome) {
        let from = 0;
        while (writeLine(outcome, counted, from)) from += VALUES_PER_LINE_MAX;
      }
      byOutcome.clear();
    },
  };
};

/** Counts lost races: refused writes of SyncPoints and rows are visible only here. */
export const meteredStore = (store: Store, meter: Meter): Store => ({
  ...store,
  arrive: async (key, arrival) => {
    const result = await store.arrive(key, arrival);
    meter.add("SyncPointArrivals", 1);
    if (!result.accepted) meter.add("SyncPointConflicts", 1);
    return result;
  },
  writeResource: async (key, when, change) => {
    const result = await store.writeResource(key, when, change);
    if (!result.written) meter.add("RowConflicts", 1);
    return result;
  },
});

/** A 503 is not a fault, because the client retries. */
const isFault = (answer: unknown): boolean =>
  typeof answer === "object" &&
  answer !== null &&
  "statusCode" in answer &&
  answer.statusCode === 500;

export const publishMetrics = (meter: PublishingMeter): MiddlewareObj => ({
  after: ({ response }) => {
    if (isFault(response)) meter.add("Faults", 1);
    meter.publish();
  },
  onError: () => meter.publish(),
});
