import { Aws } from "aws-cdk-lib";
import { Dashboard, GraphWidget, type IMetric, TextWidget } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { Api } from "./api.ts";
import type { Engine } from "./engine.ts";
import { byOutcome, engineMetric, MAXIMUM, SUM } from "./metrics.ts";
import type { Queues } from "./queues.ts";
import type { Settings } from "./settings.ts";

export interface Observed {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly queues: Queues;
  readonly api: Api;
}

export const addDashboard = (scope: Construct, observed: Observed): Dashboard =>
  new Dashboard(scope, "Dashboard", {
    dashboardName: `hearth-${observed.settings.stage}-${Aws.REGION}`,
    widgets: [
      ...titleRow(observed),
      ...queueRow(observed),
      ...functionRow(observed),
      ...engineRows(observed),
      ...errorRow(observed),
    ],
  });

const HALF_WIDTH = 12;
const FULL_WIDTH = 24;

const graph = (title: string, left: IMetric[]) =>
  new GraphWidget({ title, left, width: HALF_WIDTH });

const titleRow = ({ settings }: Observed) => [
  [
    new TextWidget({
      markdown: `# Hearth, stage ${settings.stage}`,
      width: FULL_WIDTH,
      height: 1,
    }),
  ],
];

const queueRow = ({ queues }: Observed) => {
  const work = Object.values(queues.work);
  return [
    [
      graph(
        "Waiting messages",
        work.map((queue) => queue.metricApproximateNumberOfMessagesVisible(MAXIMUM)),
      ),
      graph(
        "Age of the oldest message, seconds",
        work.map((queue) => queue.metricApproximateAgeOfOldestMessage(MAXIMUM)),
      ),
    ],
  ];
};

const functionRow = ({ engine }: Observed) => {
  const lambdas = Object.values(engine.functions).map(({ lambda }) => lambda);
  return [
    [
      graph(
        "Invocations",
        lambdas.map((lambda) => lambda.metricInvocations(SUM)),
      ),
      graph(
        "Errors",
        lambdas.map((lambda) => lambda.metricErrors(SUM)),
      ),
    ],
  ];
};

const engineRows = ({ settings: { stage } }: Observed) => [
  [
    graph("Visits by outcome", [
      byOutcome(stage, "Visits", "Sum"),
      byOutcome(stage, "NodesVisited", "Sum"),
    ]),
    graph("Seconds of nine operations out of ten, by outcome", [
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

const errorRow = ({ settings: { stage }, api, queues }: Observed) => [
  [
    graph("Requests and their errors", [
      api.rest.metricCount(SUM),
      api.rest.metricClientError(SUM),
      api.rest.metricServerError(SUM),
      engineMetric(stage, "Faults", "Sum"),
    ]),
    graph("Dead letters and given-up messages", [
      ...Object.values(queues.deadLetters).map((queue) =>
        queue.metricApproximateNumberOfMessagesVisible(MAXIMUM),
      ),
      queues.givenUp.metricApproximateNumberOfMessagesVisible(MAXIMUM),
      queues.streamFailures.metricApproximateNumberOfMessagesVisible(MAXIMUM),
    ]),
  ],
];
