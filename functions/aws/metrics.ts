/**
 * Metrics in CloudWatch's embedded format: a log line says which of its members are metrics. No
 * function calls a service for them or waits, and none is lost with a worker.
 */
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { METRICS, type MetricName, type PublishingMeter } from "#functions/meter.ts";
import { METRICS_NAMESPACE, SERVICE } from "./environment.ts";

/**
 * CloudWatch takes a hundred values of a metric in one line. Powertools writes the line itself at
 * that size.
 */
const VALUES_PER_LINE_MAX = 99;

const UNITS = { Count: MetricUnit.Count, Seconds: MetricUnit.Seconds } as const;

type Counted = Map<MetricName, number[]>;

/**
 * Dimensions are `service` and `stage`, and both again with `outcome` if there is one. Sums then
 * need no list of outcomes.
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
