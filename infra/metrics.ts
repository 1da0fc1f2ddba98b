import { Duration } from "aws-cdk-lib";
import { MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { METRICS_NAMESPACE, SERVICE } from "#functions/aws/environment.ts";
import type { MetricName } from "#functions/meter.ts";

export const PERIOD = Duration.minutes(5);
export const SUM = { period: PERIOD, statistic: "Sum" };
export const MAXIMUM = { period: PERIOD, statistic: "Maximum" };

export const engineMetric = (
  stage: string,
  metricName: MetricName,
  statistic: string,
  outcome?: string,
): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { service: SERVICE, stage, ...(outcome === undefined ? {} : { outcome }) },
    statistic,
    period: PERIOD,
  });

/** Draws one line for each outcome that exists, so the dashboard needs no list of them. */
export const byOutcome = (
  stage: string,
  metricName: MetricName,
  statistic: string,
): MathExpression => {
  const schema = `{${METRICS_NAMESPACE},outcome,service,stage}`;
  const query = `${schema} MetricName="${metricName}" service="${SERVICE}" stage="${stage}"`;
  return new MathExpression({
    expression: `SEARCH('${query}', '${statistic}', ${PERIOD.toSeconds()})`,
    period: PERIOD,
    label: `${metricName} \${PROP('Dim.outcome')}`,
    usingMetrics: {},
  });
};
