/** What somebody should look at, and a page that shows how the engine is. docs/operations.md says what to do about each. */
import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  TextWidget,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type { Api } from "./api.ts";
import type { Engine } from "./engine.ts";
import { LogMetrics } from "./metrics.ts";
import type { Queues } from "./queues.ts";
import type { Settings } from "./settings.ts";

export interface AlarmsProps {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly queues: Queues;
  readonly api: Api;
}

interface Watch {
  readonly id: string;
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many periods in a row. */
  readonly periods?: number;
  readonly below?: boolean;
}

const PERIOD = Duration.minutes(5);
/** A check message older than this stands in a queue that nobody works off. */
const MESSAGE_AGE_SECONDS_MAX = 300;
const STREAM_LAG_MS_MAX = 120_000;
const API_ERRORS_MAX = 5;
const SWEEPS_MIN = 1;

export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { alarmTopicArn, stage } = props.settings;
    const topic =
      alarmTopicArn === undefined ? null : Topic.fromTopicArn(this, "Topic", alarmTopicArn);
    for (const watch of watches(props)) {
      const alarm = new Alarm(this, watch.id, {
        alarmDescription: `Hearth ${stage}: ${watch.description}`,
        metric: watch.metric,
        threshold: watch.threshold,
        evaluationPeriods: watch.periods ?? 1,
        comparisonOperator: watch.below
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: watch.below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      if (topic) alarm.addAlarmAction(new SnsAction(topic));
    }
    const metrics = new LogMetrics(this, "Metrics", stage, props.engine);
    new Dashboard(this, "Dashboard", {
      dashboardName: `hearth-${stage}`,
      widgets: page(props, metrics),
    });
  }
}

const sum = { period: PERIOD, statistic: "Sum" };
const maximum = { period: PERIOD, statistic: "Maximum" };

const watches = ({ queues, engine, api }: AlarmsProps): readonly Watch[] => [
  {
    id: "GivenUp",
    description: "a message could not even be failed",
    metric: queues.givenUp.metricApproximateNumberOfMessagesVisible(maximum),
    threshold: 1,
  },
  {
    id: "StreamFailures",
    description: "a change of a row made no event, or a stack has no supervisor",
    metric: queues.streamFailures.metricApproximateNumberOfMessagesVisible(maximum),
    threshold: 1,
  },
  {
    id: "DeadLetters",
    description: "messages were delivered too often, and what they stood for has failed",
    metric: engine.functions["dead-letter"].lambda.metricInvocations(sum),
    threshold: 1,
  },
  {
    id: "CheckQueueStands",
    description: "visits wait too long",
    metric: queues.work.check.metricApproximateAgeOfOldestMessage(maximum),
    threshold: MESSAGE_AGE_SECONDS_MAX,
    periods: 2,
  },
  {
    id: "PrepareQueueStands",
    description: "accepted operations do not begin",
    metric: queues.work.prepare.metricApproximateAgeOfOldestMessage(maximum),
    threshold: MESSAGE_AGE_SECONDS_MAX,
  },
  {
    id: "NoSweep",
    description: "nobody looks after what got lost",
    metric: engine.functions.sweep.lambda.metricInvocations(sum),
    threshold: SWEEPS_MIN,
    periods: 2,
    below: true,
  },
  {
    id: "SweepFails",
    description: "the sweeper fails",
    metric: engine.functions.sweep.lambda.metricErrors(sum),
    threshold: 2,
    periods: 2,
  },
  {
    id: "EventsLag",
    description: "events come late",
    metric: engine.functions.events.lambda.metric("IteratorAge", maximum),
    threshold: STREAM_LAG_MS_MAX,
    periods: 2,
  },
  {
    id: "ApiErrors",
    description: "the API answers 5xx",
    metric: api.rest.metricServerError(sum),
    threshold: API_ERRORS_MAX,
  },
];

const HALF_WIDTH = 12;
const FULL_WIDTH = 24;

const page = ({ queues, engine, api, settings }: AlarmsProps, metrics: LogMetrics) => {
  const lambdas = Object.values(engine.functions).map(({ lambda }) => lambda);
  const graph = (title: string, left: IMetric[]) =>
    new GraphWidget({ title, left, width: HALF_WIDTH });
  const work = Object.values(queues.work);
  return [
    [
      new TextWidget({
        markdown: `# Hearth, stage ${settings.stage}`,
        width: FULL_WIDTH,
        height: 1,
      }),
    ],
    [
      graph(
        "Waiting messages",
        work.map((queue) => queue.metricApproximateNumberOfMessagesVisible(maximum)),
      ),
      graph(
        "Age of the oldest message, seconds",
        work.map((queue) => queue.metricApproximateAgeOfOldestMessage(maximum)),
      ),
    ],
    [
      graph(
        "Invocations",
        lambdas.map((lambda) => lambda.metricInvocations(sum)),
      ),
      graph(
        "Errors",
        lambdas.map((lambda) => lambda.metricErrors(sum)),
      ),
    ],
    [
      graph("Visits, and those that changed nothing", [
        metrics.visits,
        metrics.staleVisits,
        metrics.conflicts,
        metrics.blockedVisits,
        metrics.failedMessages,
      ]),
      graph("Seconds of nine operations out of ten", [metrics.operationSeconds]),
    ],
    [
      graph("Requests and their errors", [
        api.rest.metricCount(sum),
        api.rest.metricClientError(sum),
        api.rest.metricServerError(sum),
      ]),
      graph("Dead letters and what was given up", [
        ...Object.values(queues.deadLetters).map((queue) =>
          queue.metricApproximateNumberOfMessagesVisible(maximum),
        ),
        queues.givenUp.metricApproximateNumberOfMessagesVisible(maximum),
        queues.streamFailures.metricApproximateNumberOfMessagesVisible(maximum),
      ]),
    ],
  ];
};
