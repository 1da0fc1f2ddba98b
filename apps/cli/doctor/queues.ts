/**
 * Whether the queues make progress, and which messages were given up. The numbers of SQS are
 * approximate, so a fault needs a second look whenever that could refute the first.
 */
import type { HealthDocument } from "#lib/api/health.ts";
import { ageText } from "../print.ts";
import { answersOf, type Finding } from "./check.ts";

type Depth = HealthDocument["queues"][number];

/** The longest wait of a message before a warning, and before a fault (as for the alarms). */
export const WAITING_MS_WARN = 60_000;
export const WAITING_MS_MAX = 300_000;
/** More than warm workers receive at once. */
export const BACKLOG_MESSAGES_WARN = 1_000;
export const LOOK_AGAIN_MS = 5_000;

const isWork = ({ holds }: Depth): boolean => holds === "work";
const isDeadLetters = ({ holds }: Depth): boolean => holds === "dead-letters";
const messagesIn = ({ waiting, delayed, in_flight }: Depth): number =>
  waiting + delayed + in_flight;

export const needsSecondLook = ({ queues }: HealthDocument): boolean =>
  queues.some((queue) => (isWork(queue) ? queue.waiting > 0 : messagesIn(queue) > 0));

/** If no second look was needed, the caller passes the first one twice. */
export const judgeQueues = (first: HealthDocument, second: HealthDocument): readonly Finding[] => {
  const pairs = second.queues.map((now) => ({
    now,
    before: first.queues.find(({ name }) => name === now.name) ?? now,
  }));
  return [
    ...pairs.filter(({ now }) => isWork(now)).map(({ before, now }) => judgeWork(before, now)),
    judgeDeadLetters(pairs.filter(({ now }) => isDeadLetters(now))),
    ...second.queues.filter(({ holds }) => holds === "given-up").map(judgeGivenUp),
    ...second.queues.filter(({ holds }) => holds === "stream-failures").map(judgeStreamFailures),
  ];
};

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

const WORK_ADVICE =
  "Check whether the queue's function fails at its start or is throttled, and the account's concurrency. Restart an embedded host";

const judgeWork = (before: Depth, now: Depth): Finding => {
  const { ok, warning, wrong } = answersOf(now.name);
  const { waiting, oldest_waiting_ms: age } = now;
  const messages = counted(waiting, "message");
  const since = age === null ? "" : `, the oldest for ${ageText(age)}`;
  const wait = `${messages} ${waiting === 1 ? "waits" : "wait"}${since}`;
  if (age !== null && age > WAITING_MS_MAX) return wrong(wait, WORK_ADVICE);
  const isUntouched = before.in_flight === 0 && now.in_flight === 0;
  const isStanding = before !== now && before.waiting > 0 && waiting >= before.waiting;
  if (isUntouched && isStanding) {
    return wrong(`${wait}, and nobody receives them: none is in flight, in two looks`, WORK_ADVICE);
  }
  if (age !== null && age > WAITING_MS_WARN) return warning(wait, WORK_ADVICE);
  if (waiting >= BACKLOG_MESSAGES_WARN) {
    const trend = waiting < before.waiting ? "fewer than before" : "not fewer than before";
    return warning(`${wait}, ${trend}`, "There is more work than workers: check whether it falls");
  }
  const others = [
    ...(now.in_flight > 0 ? [`${now.in_flight} in flight`] : []),
    ...(now.delayed > 0 ? [`${now.delayed} not due yet`] : []),
  ];
  const rest = others.length === 0 ? "" : ` (${others.join(", ")})`;
  return ok(waiting === 0 ? `nothing waits${rest}` : `${wait}${rest}`);
};

const DEAD_LETTER_ADVICE =
  "Their resources could not be failed: read the errors in the log of the dead-letter function";

/** A dead letter that is gone at the second look was handled: its stack reports the failure. */
const judgeDeadLetters = (
  pairs: readonly { readonly before: Depth; readonly now: Depth }[],
): Finding => {
  const { ok, wrong } = answersOf("dead letters");
  const standing = pairs.filter(({ before, now }) => messagesIn(before) > 0 && messagesIn(now) > 0);
  if (standing.length === 0) return ok("none");
  const places = standing.map(({ now }) => `${messagesIn(now)} in ${now.name}`).join(", ");
  const total = standing.reduce((sum, { now }) => sum + messagesIn(now), 0);
  return wrong(
    `${counted(total, "message")} that ${total === 1 ? "was" : "were"} delivered too often ${total === 1 ? "stands" : "stand"} there (${places})`,
    DEAD_LETTER_ADVICE,
  );
};

const judgeGivenUp = (now: Depth): Finding => {
  const { ok, wrong } = answersOf("given up");
  const count = messagesIn(now);
  if (count === 0) return ok("none");
  return wrong(
    `${counted(count, "dead letter")} could not even be failed`,
    "A bug of ours, or a table that refuses writes: read one (aws sqs receive-message) and find its traversalId in the logs",
  );
};

const judgeStreamFailures = (now: Depth): Finding => {
  const { ok, wrong } = answersOf("stream failures");
  const count = messagesIn(now);
  if (count === 0) return ok("none");
  return wrong(
    `${count} ${count === 1 ? "batch" : "batches"} of changes made no event, or no supervisor`,
    "The messages name the shard and the sequence; the logs of events and supervise-stacks have the error",
  );
};
