/**
 * Metrics in CloudWatch's embedded format: log lines that name which of their members are metrics.
 * So no function waits for a metrics service, and a worker's end loses no metrics.
 */
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { METRICS, type MetricName, type PublishingMeter } from "#functions/meter.ts";
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
