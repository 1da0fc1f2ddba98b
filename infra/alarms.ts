import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { type AlarmName, alarmList } from "./alarm-texts.ts";
import type { Observed } from "./dashboard.ts";
import { engineMetric, MAXIMUM, SUM } from "./metrics.ts";
import type { Settings } from "./settings.ts";

export const addAlarms = (scope: Construct, observed: Observed): ReadonlyMap<string, Alarm> => {
  const { alarmTopicArn, stage, isFirst } = observed.settings;
  // Nothing has run yet when a new alarm is evaluated for the first time.
  const missing = isFirst ? TreatMissingData.MISSING : TreatMissingData.BREACHING;
  const topic =
    alarmTopicArn === undefined ? null : Topic.fromTopicArn(scope, "Topic", alarmTopicArn);
  const metrics = metricsOf(observed);
  const alarms = new Map<string, Alarm>();
  for (const { name, means, threshold, periods = 1, below = false } of alarmList()) {
    const alarm = new Alarm(scope, name, {
      alarmDescription: `Hearth ${stage}: ${means}. What to do: docs/reference/alarms.md, alarm ${name}`,
      metric: metrics[name],
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: below ? missing : TreatMissingData.NOT_BREACHING,
    });
    if (topic) alarm.addAlarmAction(new SnsAction(topic));
    alarms.set(name, alarm);
  }
  return alarms;
};

const metricsOf = ({
  settings: { stage },
  queues,
  engine: { functions, supervisor },
  api,
}: Observed): Readonly<Record<AlarmName, IMetric>> => ({
  MessagesGivenUp: queues.givenUp.metricApproximateNumberOfMessagesVisible(MAXIMUM),
  StreamRecordsFailed: queues.streamFailures.metricApproximateNumberOfMessagesVisible(MAXIMUM),
  MessagesDeadLettered: engineMetric(stage, "DeadLetters", "Sum"),
  // The alarm uses the age and not the number: a message whose handler fails is hidden until the
  // next try. Each queue has its own alarm, because emulators do not support metric math.
  PrepareDeadLettersWaiting:
    queues.deadLetters.prepare.metricApproximateAgeOfOldestMessage(MAXIMUM),
  CheckDeadLettersWaiting: queues.deadLetters.check.metricApproximateAgeOfOldestMessage(MAXIMUM),
  PollDeadLettersWaiting: queues.deadLetters.poll.metricApproximateAgeOfOldestMessage(MAXIMUM),
  VisitsFailing: engineMetric(stage, "Visits", "Sum", "error"),
  PrepareTraversalFailing: functions["prepare-traversal"].lambda.metricErrors(SUM),
  CheckResourceFailing: functions["check-resource"].lambda.metricErrors(SUM),
  EventsFailing: functions.events.lambda.metricErrors(SUM),
  SuperviseStacksFailing: functions["supervise-stacks"].lambda.metricErrors(SUM),
  CheckQueueStalled: queues.work.check.metricApproximateAgeOfOldestMessage(MAXIMUM),
  PrepareQueueStalled: queues.work.prepare.metricApproximateAgeOfOldestMessage(MAXIMUM),
  EventsDelayed: functions.events.lambda.metric("IteratorAge", MAXIMUM),
  SupervisorDelayed: functions["supervise-stacks"].lambda.metric("IteratorAge", MAXIMUM),
  SweeperNotRunning: functions.sweep.lambda.metricInvocations(SUM),
  SweeperFailing: functions.sweep.lambda.metricErrors(SUM),
  SupervisorFailing: supervisor.failures(),
  ApiFailing: engineMetric(stage, "Faults", "Sum"),
  ApiCallsFailing: functions.api.lambda.metricErrors(SUM),
  AuthorizerFailing: api.undecided(),
  MetadataFailing: functions.metadata.lambda.metricErrors(SUM),
  SignalFailing: functions.signal.lambda.metricErrors(SUM),
  AgentPollsFailing: functions["agent-polls"].lambda.metricErrors(SUM),
  ApiUnavailable: api.rest.metricServerError(SUM),
  ApiThrottled: functions.authorizer.lambda.metricThrottles(SUM),
});

const PER_CENT = 100;

export const addBudget = (scope: Construct, settings: Settings): void => {
  const { dailyBudget, alarmTopicArn, emulator } = settings;
  if (dailyBudget === undefined || alarmTopicArn === undefined || emulator) return;
  new CfnBudget(scope, "Budget", {
    budget: {
      budgetType: "COST",
      timeUnit: "DAILY",
      budgetLimit: { amount: dailyBudget, unit: "USD" },
    },
    notificationsWithSubscribers: [
      {
        notification: {
          notificationType: "ACTUAL",
          comparisonOperator: "GREATER_THAN",
          threshold: PER_CENT,
        },
        subscribers: [{ subscriptionType: "SNS", address: alarmTopicArn }],
      },
    ],
  });
};
