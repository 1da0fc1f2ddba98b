/**
 * The text of each alarm: what it means, when it goes off, and what to do. CloudWatch shows the
 * meaning, and docs/reference/alarms.md shows everything. Links begin at the root of the
 * repository.
 */
import { RECEIVES_MAX } from "#lib/ports/queue.ts";
import { PERIOD } from "./metrics.ts";

export interface AlarmText {
  readonly means: string;
  readonly remedy: string;
  readonly threshold: number;
  readonly unit: string;
  readonly periods?: number;
  readonly below?: boolean;
}

const MESSAGE_AGE_SECONDS_MAX = 300;
const STREAM_LAG_MS_MAX = 120_000;
const API_ERRORS_MAX = 5;
const UNAVAILABLE_MAX = 50;
const THROTTLES_MAX = 10;
const SWEEPS_MIN = 1;
const SWEEP_ERRORS_MAX = 2;
/**
 * Two messages that always fail cause fewer errors in all their deliveries. More errors come from a
 * bug or a missing right.
 */
const VISIT_ERRORS_MAX = 2 * RECEIVES_MAX + 1;
/**
 * SQS omits a message from the age metric from its third delivery on. By then the message is twelve
 * minutes old.
 */
const DEAD_LETTER_AGE_SECONDS_MAX = 600;
/** Counts calls that Lambda itself fails: at the start, by the time limit, or out of memory. */
const CALL_ERRORS_MAX = 3;

const PUT_ASIDE = "docs/operations.md#reading-what-was-put-aside";

const deadLettersWaiting = (queue: string): AlarmText => ({
  means: `dead letters of ${queue} wait: their handler does not run, or cannot fail what they stood for`,
  remedy:
    "Read the `dead-letter` log, lines without `outcome` too: perhaps it cannot start. If there are none, its source is off. The sweeper goes on trying what they stood for.",
  threshold: DEAD_LETTER_AGE_SECONDS_MAX,
  unit: "s of age",
});

const callsFailing = (name: string): AlarmText => ({
  means: `calls of ${name} end in an error of Lambda's: it could not start, ran out of memory, or took too long`,
  remedy:
    "Read the function's log, lines without `outcome`. A cold start fails by a variable, a secret or a right that is missing. During a deployment this alarm rolls it back.",
  threshold: CALL_ERRORS_MAX,
  unit: "calls",
});

export const ALARM_TEXTS = {
  MessagesGivenUp: {
    means:
      "a message could not even be failed: a bug of ours, a right that a role lacks, or a table that refuses writes",
    remedy: `[Read it](${PUT_ASIDE}), and look for its \`traversalId\` in the \`check-resource\` and \`dead-letter\` logs. The sweeper goes on trying what it stood for.`,
    threshold: 1,
    unit: "message",
  },
  StreamRecordsFailed: {
    means:
      "a change of a row made no event, or a stack has no supervisor: its record failed at every try and was set aside",
    remedy: `[The queue's message](${PUT_ASIDE}) names the shard and the sequence. The log of \`events\` or \`supervise-stacks\` has the error. Repair it, and within eight hours \`hearth aws replay\` plays the records again. Stacks go on: the sweeper keeps their deadlines.`,
    threshold: 1,
    unit: "record",
  },
  MessagesDeadLettered: {
    means: "messages were delivered too often, and their resources have FAILED with a reason",
    remedy:
      "`openstack stack event list` shows which. The log has the error of each delivery. Repair the cause and update the stack.",
    threshold: 1,
    unit: "message",
  },
  PrepareDeadLettersWaiting: deadLettersWaiting("prepare"),
  CheckDeadLettersWaiting: deadLettersWaiting("check"),
  PollDeadLettersWaiting: deadLettersWaiting("poll"),
  VisitsFailing: {
    means: "visits throw something unexpected",
    remedy:
      'Read the `check-resource` log, `filter outcome = "error"`: `failure` has the error\'s class and text, beside the ids.',
    threshold: VISIT_ERRORS_MAX,
    unit: "visits",
  },
  PrepareTraversalFailing: callsFailing("prepare-traversal"),
  CheckResourceFailing: callsFailing("check-resource"),
  EventsFailing: callsFailing("events"),
  SuperviseStacksFailing: callsFailing("supervise-stacks"),
  CheckQueueStalled: {
    means:
      "visits wait too long: no worker empties the queue, or a message ends its worker at each try",
    remedy:
      "Does the log of `check-resource` name a time-out or `Runtime.OutOfMemory` every six minutes? Then it is one message, which becomes a dead letter within the hour. Else: is the account's Lambda concurrency used up? Does `check-resource` fail at its cold start (a secret that cannot be read, a variable)?",
    threshold: MESSAGE_AGE_SECONDS_MAX,
    unit: "s of age",
    periods: 2,
  },
  PrepareQueueStalled: {
    means: "accepted operations do not begin: no worker empties the queue",
    remedy:
      "Is the account's Lambda concurrency used up? Does `prepare-traversal` fail at its cold start (a secret that cannot be read, a variable)?",
    threshold: MESSAGE_AGE_SECONDS_MAX,
    unit: "s of age",
  },
  EventsDelayed: {
    means: "events come late",
    remedy: "Only what clients see is late. Is `events` throttled?",
    threshold: STREAM_LAG_MS_MAX,
    unit: "ms late",
    periods: 2,
  },
  SupervisorDelayed: {
    means: "operations get their Step Functions execution late",
    remedy:
      "The sweeper keeps their deadlines meanwhile. Look at the log of `supervise-stacks`: is Step Functions or the function throttled?",
    threshold: STREAM_LAG_MS_MAX,
    unit: "ms late",
    periods: 2,
  },
  SweeperNotRunning: {
    means: "the minute's schedule does not run, so lost messages stay lost",
    remedy: "Is the EventBridge rule enabled? Until it runs, a lost message hangs its stack.",
    threshold: SWEEPS_MIN,
    unit: "round",
    periods: 2,
    below: true,
  },
  SweeperFailing: {
    means: "the sweeper fails again and again",
    remedy: "Read its log. Most often a table is throttled.",
    threshold: SWEEP_ERRORS_MAX,
    unit: "failed rounds",
    periods: 2,
  },
  SupervisorFailing: {
    means: "executions that watch stack operations end in an error",
    remedy:
      "Read the state machine's log. May its role call `await-end` and `deadline`? The sweeper keeps the deadlines meanwhile.",
    threshold: 1,
    unit: "execution",
  },
  ApiFailing: {
    means:
      "users or agents get 500: an error of ours. A busy table, a plug-in that is away and a full account are 503, and do not count",
    remedy:
      "Read the logs of `api`, `metadata`, `signal` and `agent-polls`, by the time of the access log's line.",
    threshold: API_ERRORS_MAX,
    unit: "such answers",
  },
  ApiCallsFailing: callsFailing("api"),
  AuthorizerFailing: {
    means:
      "users get 503, because the authorizer gave no decision: it could not start, took too long, or found a busy table. A refused token does not count",
    remedy:
      "Read its log, errors other than `Unauthorized`. If `ApiThrottled` goes off too, the account's executions were used up. During a deployment this alarm rolls it back.",
    threshold: API_ERRORS_MAX,
    unit: "such answers",
  },
  MetadataFailing: callsFailing("metadata"),
  SignalFailing: callsFailing("signal"),
  AgentPollsFailing: callsFailing("agent-polls"),
  ApiUnavailable: {
    means: "many requests get 5xx for a quarter of an hour, most of them 503",
    remedy:
      "Read the access log: a line without `functionStatus` reached no function. Else the logs of `api` name the service that is busy or away.",
    threshold: UNAVAILABLE_MAX,
    unit: "such answers",
    periods: 3,
  },
  ApiThrottled: {
    means: "users get 503, because the account's concurrent executions are used up",
    remedy:
      "Which function takes them (`ConcurrentExecutions` in CloudWatch)? Request a higher quota, or give Hearth a lower `lambdaConcurrency`.",
    threshold: THROTTLES_MAX,
    unit: "refused calls",
  },
} as const satisfies Readonly<Record<string, AlarmText>>;

export type AlarmName = keyof typeof ALARM_TEXTS;

export interface NamedAlarm extends AlarmText {
  readonly name: AlarmName;
}

const isAlarmName = (name: string): name is AlarmName => name in ALARM_TEXTS;

export const alarmList = (): readonly NamedAlarm[] =>
  Object.keys(ALARM_TEXTS)
    .filter(isAlarmName)
    .map((name) => ({ name, ...ALARM_TEXTS[name] }));

export const pointOf = ({ threshold, unit, periods = 1, below = false }: AlarmText): string => {
  const least = `${below ? "fewer than " : ""}${threshold.toLocaleString("en")} ${unit}`;
  const period = `${PERIOD.toMinutes()} minutes`;
  return `${least} in ${periods === 1 ? period : `each of ${periods} times ${period}`}`;
};
