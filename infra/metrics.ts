/**
 * What the log lines say, as metrics: the engine returns outcomes, the handlers log them, and CloudWatch
 * counts them here. No function sends a metric, so none is waited for and none is lost with a worker.
 */
import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import {
  FilterPattern,
  type IFilterPattern,
  type JsonPattern,
  type LogGroup,
  MetricFilter,
} from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Engine } from "./engine.ts";

const NAMESPACE = "Hearth";
const PERIOD = Duration.minutes(5);

const line = (message: string): JsonPattern => FilterPattern.stringValue("$.message", "=", message);

const outcome = (...outcomes: readonly string[]): JsonPattern =>
  FilterPattern.all(
    line("handled a message"),
    FilterPattern.any(...outcomes.map((one) => FilterPattern.stringValue("$.outcome", "=", one))),
  );

export class LogMetrics extends Construct {
  readonly visits: Metric;
  /** Visits of an overtaken traversal. */
  readonly staleVisits: Metric;
  /** Writes that another worker was faster with. */
  readonly conflicts: Metric;
  /** Visits that found their row busy and come again. */
  readonly blockedVisits: Metric;
  readonly failedMessages: Metric;
  /** From acceptance to end. */
  readonly operationSeconds: Metric;

  constructor(scope: Construct, id: string, stage: string, { functions }: Engine) {
    super(scope, id);
    const visits = functions["check-resource"].logs;
    const count = (name: string, logs: LogGroup, pattern: IFilterPattern): Metric =>
      this.#metric(name, stage, logs, pattern, "1").with({ statistic: "Sum" });
    this.visits = count("Visits", visits, line("handled a message"));
    this.staleVisits = count("StaleVisits", visits, outcome("stale", "overtaken"));
    this.conflicts = count("Conflicts", visits, outcome("fenced", "lost", "moved"));
    this.blockedVisits = count("BlockedVisits", visits, outcome("blocked"));
    this.failedMessages = count("FailedMessages", visits, line("a message failed"));
    this.operationSeconds = this.#metric(
      "OperationSeconds",
      stage,
      functions["supervise-stacks"].logs,
      line("a stack operation ended"),
      "$.seconds",
    ).with({ statistic: "p90" });
  }

  #metric(
    name: string,
    stage: string,
    logGroup: LogGroup,
    filterPattern: IFilterPattern,
    metricValue: string,
  ): Metric {
    const metricName = `${stage}.${name}`;
    new MetricFilter(this, name, {
      logGroup,
      filterPattern,
      metricNamespace: NAMESPACE,
      metricName,
      metricValue,
    });
    return new Metric({ namespace: NAMESPACE, metricName, period: PERIOD });
  }
}
