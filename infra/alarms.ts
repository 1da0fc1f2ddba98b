/** What somebody should look at, and a page that shows how the engine is. docs/operations.md says what to do about each. */
import { Aws } from "aws-cdk-lib";
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
import { byOutcome, engineMetric, PERIOD } from "./metrics.ts";
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

/** A check message older than this stands in a queue that nobody works off. */
const MESSAGE_AGE_SECONDS_MAX = 300;
const STREAM_LAG_MS_MAX = 120_000;
const API_ERRORS_MAX = 5;
const SWEEPS_MIN = 1;
/** A few are deliveries that a throttled service refused; more are a bug, or a service that is down. */
const VISIT_ERRORS_MAX = 10;

export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { alarmTopicArn, stage } = props.settings;
    const topic =
      alarmTopicArn === undefined ? null : Topic.fromTopicArn(this, "Topic", alarmTopicArn);
    for (const watch of watches(props)) {
      const alarm = new Alarm(this, watch.id, {
        // It may be all that whoever is woken by it has at hand.
        alarmDescription: `Hearth ${stage}: ${watch.description}. What to do: docs/operations.md, alarm ${watch.id}`,
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
    new Dashboard(this, "Dashboard", {
      // An account's dashboards are known by name in all of its regions at once.
      dashboardName: `hearth-${stage}-${Aws.REGION}`,
      widgets: page(props),
    });
  }
}

const sum = { period: PERIOD, statistic: "Sum" };
const maximum = { period: PERIOD, statistic: "Maximum" };

/** SQS counts them itself, so no function has to. One alarm a queue: emulators know no arithmetic of metrics. */
const deadLettersStand = ({ deadLetters }: Queues): readonly Watch[] =>
  Object.entries(deadLetters).map(([name, queue]) => ({
    id: `${name.charAt(0).toUpperCase()}${name.slice(1)}DeadLettersStand`,
    description: `dead letters of ${name} wait, and nobody fails what they stood for`,
    metric: queue.metricApproximateNumberOfMessagesVisible(maximum),
    threshold: 1,
    periods: 3,
  }));

const watches = ({ settings, queues, engine, api }: AlarmsProps): readonly Watch[] => [
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
    metric: engineMetric(settings.stage, "DeadLetters", "Sum"),
    threshold: 1,
  },
  ...deadLettersStand(queues),
  {
    id: "VisitErrors",
    description: "visits throw",
    metric: engineMetric(settings.stage, "Visits", "Sum", "error"),
    threshold: VISIT_ERRORS_MAX,
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

const graph = (title: string, left: IMetric[]) =>
  new GraphWidget({ title, left, width: HALF_WIDTH });

/** What the engine itself counts. */
const engineGraphs = ({ stage }: AlarmsProps["settings"]) => [
  [
    graph("Visits by outcome", [
      byOutcome(stage, "Visits", "Sum"),
      byOutcome(stage, "NodesVisited", "Sum"),
    ]),
    graph("Seconds of nine operations out of ten, by how they ended", [
      byOutcome(stage, "TraversalSeconds", "p90"),
    ]),
  ],
  [
    graph("Races and repairs", [
      engineMetric(stage, "StaleMessages", "Sum"),
      engineMetric(stage, "SyncPointArrivals", "Sum"),
      engineMetric(stage, "SyncPointConflicts", "Sum"),
      engineMetric(stage, "RowConflicts", "Sum"),
      engineMetric(stage, "SweptMessages", "Sum"),
    ]),
    graph("Preparations and dead letters by outcome", [
      byOutcome(stage, "Preparations", "Sum"),
      byOutcome(stage, "DeadLetters", "Sum"),
    ]),
  ],
];

const page = ({ queues, engine, api, settings }: AlarmsProps) => {
  const { stage } = settings;
  const lambdas = Object.values(engine.functions).map(({ lambda }) => lambda);
  const work = Object.values(queues.work);
  return [
    [
      new TextWidget({
        markdown: `# Hearth, stage ${stage}`,
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
    ...engineGraphs(settings),
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
