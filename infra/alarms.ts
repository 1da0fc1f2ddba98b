/** The alarms, named by their symptom. docs/operations.md says what to do about each. */
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { FunctionName } from "#functions/aws/environment.ts";
import type { Observed } from "./dashboard.ts";
import { engineMetric, MAXIMUM, SUM } from "./metrics.ts";
import type { Queues } from "./queues.ts";

interface Watch {
  /** The name of the alarm, which says the symptom. */
  readonly id: string;
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many periods in a row. */
  readonly periods?: number;
  readonly below?: boolean;
}

/** A check message older than this is in a queue that no worker empties. */
const MESSAGE_AGE_SECONDS_MAX = 300;
const STREAM_LAG_MS_MAX = 120_000;
const API_ERRORS_MAX = 5;
const SWEEPS_MIN = 1;
const SWEEP_ERRORS_MAX = 2;
/** A throttled service makes a few. More come from a bug, or from a service that is down. */
const VISIT_ERRORS_MAX = 10;
/** Calls that end in an error of Lambda's: at the start, by the time limit, out of memory. */
const CALL_ERRORS_MAX = 3;

/** Returns them by their names. */
export const addAlarms = (scope: Construct, observed: Observed): ReadonlyMap<string, Alarm> => {
  const { alarmTopicArn, stage } = observed.settings;
  const topic =
    alarmTopicArn === undefined ? null : Topic.fromTopicArn(scope, "Topic", alarmTopicArn);
  const alarms = new Map<string, Alarm>();
  for (const watch of watches(observed)) {
    const alarm = new Alarm(scope, watch.id, {
      // This may be all that the person on call has at hand.
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
    alarms.set(watch.id, alarm);
  }
  return alarms;
};

const watches = (observed: Observed): readonly Watch[] => [
  ...failedMessages(observed),
  ...deadLettersWaiting(observed.queues),
  ...visits(observed),
  ...calls(observed),
  ...delays(observed),
  ...sweeper(observed),
  {
    id: "ApiFailing",
    description: "the API answers 5xx",
    metric: observed.api.rest.metricServerError(SUM),
    threshold: API_ERRORS_MAX,
  },
  {
    id: "AgentPollsFailing",
    description: "agents' polls get 5xx",
    metric: observed.engine.functions["agent-polls"].lambda.metric("Url5xxCount", SUM),
    threshold: API_ERRORS_MAX,
  },
];

const failedMessages = ({ settings, queues }: Observed): readonly Watch[] => [
  {
    id: "MessagesGivenUp",
    description: "a message could not even be marked FAILED",
    metric: queues.givenUp.metricApproximateNumberOfMessagesVisible(MAXIMUM),
    threshold: 1,
  },
  {
    id: "StreamRecordsFailed",
    description: "a change of a row made no event, or a stack has no supervisor",
    metric: queues.streamFailures.metricApproximateNumberOfMessagesVisible(MAXIMUM),
    threshold: 1,
  },
  {
    id: "MessagesDeadLettered",
    description: "messages were delivered too often, and their work has FAILED",
    metric: engineMetric(settings.stage, "DeadLetters", "Sum"),
    threshold: 1,
  },
];

/** SQS counts these itself. Each queue has its own alarm, because emulators know no metric math. */
const deadLettersWaiting = ({ deadLetters }: Queues): readonly Watch[] =>
  Object.entries(deadLetters).map(([name, queue]) => ({
    id: `${name.charAt(0).toUpperCase()}${name.slice(1)}DeadLettersWaiting`,
    description: `dead letters of ${name} wait, and nothing marks their work FAILED`,
    metric: queue.metricApproximateNumberOfMessagesVisible(MAXIMUM),
    threshold: 1,
    periods: 3,
  }));

const visits = ({ settings }: Observed): readonly Watch[] => [
  {
    id: "VisitsFailing",
    description: "visits throw",
    metric: engineMetric(settings.stage, "Visits", "Sum", "error"),
    threshold: VISIT_ERRORS_MAX,
  },
];

/** The functions whose failed calls no client sees. The sweeper has an alarm of its own. */
const CALLED: readonly FunctionName[] = [
  "prepare-traversal",
  "check-resource",
  "events",
  "supervise-stacks",
];

const calls = ({ engine }: Observed): readonly Watch[] =>
  CALLED.map((name) => ({
    id: `${engine.functions[name].node.id}Failing`,
    description: `calls of ${name} end in an error`,
    metric: engine.functions[name].lambda.metricErrors(SUM),
    threshold: CALL_ERRORS_MAX,
  }));

const delays = ({ queues, engine }: Observed): readonly Watch[] => [
  {
    id: "CheckQueueStalled",
    description: "visits wait too long",
    metric: queues.work.check.metricApproximateAgeOfOldestMessage(MAXIMUM),
    threshold: MESSAGE_AGE_SECONDS_MAX,
    periods: 2,
  },
  {
    id: "PrepareQueueStalled",
    description: "accepted operations do not begin",
    metric: queues.work.prepare.metricApproximateAgeOfOldestMessage(MAXIMUM),
    threshold: MESSAGE_AGE_SECONDS_MAX,
  },
  {
    id: "EventsDelayed",
    description: "events come late",
    metric: engine.functions.events.lambda.metric("IteratorAge", MAXIMUM),
    threshold: STREAM_LAG_MS_MAX,
    periods: 2,
  },
  {
    id: "SupervisorDelayed",
    description: "stack operations get their supervisor late",
    metric: engine.functions["supervise-stacks"].lambda.metric("IteratorAge", MAXIMUM),
    threshold: STREAM_LAG_MS_MAX,
    periods: 2,
  },
];

const sweeper = ({ engine }: Observed): readonly Watch[] => [
  {
    id: "SweeperNotRunning",
    description: "the sweeper does not run, so lost messages stay lost",
    metric: engine.functions.sweep.lambda.metricInvocations(SUM),
    threshold: SWEEPS_MIN,
    periods: 2,
    below: true,
  },
  {
    id: "SweeperFailing",
    description: "the sweeper fails",
    metric: engine.functions.sweep.lambda.metricErrors(SUM),
    threshold: SWEEP_ERRORS_MAX,
    periods: 2,
  },
];
