import { equal, match, ok } from "node:assert/strict";
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import {
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { stackPath } from "#client/client.ts";
import { EventsAnswer } from "#client/wire.ts";
import { present } from "#lib/errors.ts";
import { connectionTo } from "../connection.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  hot,
  isInProgress,
  type Lane,
  type StackRef,
  type Story,
  testResource,
  update,
  visitOf,
} from "../lane.ts";

const OUTAGE_MS_MAX = 180_000;
const KILL_EVERY_MS = 150;
const HOUR_SECONDS = 3_600;

/** How long a message stays hidden after a failed try, and how old a record may become. */
interface Patience {
  readonly hiddenSeconds: number;
  readonly recordSeconds: number;
}

/** AWS allows no less than a minute for a record; the emulator allows a second. */
const IMPATIENT: Patience = { hiddenSeconds: 1, recordSeconds: 1 };
const PATIENT: Patience = { hiddenSeconds: 360, recordSeconds: 57_600 };

const wait = async (lane: Lane, { hiddenSeconds, recordSeconds }: Patience): Promise<void> => {
  const sqs = new SQSClient(connectionTo(lane.endpoint));
  const lambda = new LambdaClient(connectionTo(lane.endpoint));
  const QueueUrl = lane.account.queueUrl("CheckDeadLetter");
  const Attributes = { VisibilityTimeout: String(hiddenSeconds) };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  const FunctionName = present(lane.account.functionNames.get("Events"), "the function Events");
  const { EventSourceMappings = [] } = await lambda.send(
    new ListEventSourceMappingsCommand({ FunctionName }),
  );
  equal(EventSourceMappings.length, 2);
  for (const { UUID } of EventSourceMappings) {
    const aged = { UUID, MaximumRecordAgeInSeconds: recordSeconds };
    await lambda.send(new UpdateEventSourceMappingCommand(aged));
  }
  for (const client of [sqs, lambda]) client.destroy();
};

const depth = async (lane: Lane, queue: string): Promise<number> => {
  const sqs = new SQSClient(connectionTo(lane.endpoint));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: lane.account.queueUrl(queue),
      AttributeNames: ["ApproximateNumberOfMessages"],
    }),
  );
  sqs.destroy();
  return Number(Attributes?.ApproximateNumberOfMessages);
};

const duringOutage = async (lane: Lane, work: () => Promise<void>): Promise<void> => {
  const killWorkers = present(lane.killWorkers, "a way to kill workers");
  await wait(lane, IMPATIENT);
  const kill = (): void => {
    killWorkers("Events");
    killWorkers("DeadLetter");
  };
  kill();
  const killing = setInterval(kill, KILL_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(killing);
    await wait(lane, PATIENT);
  }
};

const hasBegun = async ({ client }: Lane, stack: StackRef): Promise<boolean> => {
  const { events } = await client.request("GET", `${stackPath(stack)}/events`, EventsAnswer);
  return events.some(({ resource_status }) => resource_status === "UPDATE_IN_PROGRESS");
};

/** Nothing ends `a` within the hour, so only the dead letter of `b` can end the stack. */
export const replayed: Story = {
  name: "events that an outage has lost are replayed, and a message that was given up ends its stack",
  isLong: true,
  needs: ["workers"],
  play: async (lane) => {
    const version = (value: string, wait_secs: number) =>
      hot({
        a: testResource({ value, wait_secs }),
        b: testResource({ value }, { depends_on: ["a"] }),
      });
    const stack = await create(lane, "late-replayed", version("one", 0));
    await ends(lane, stack, "CREATE_COMPLETE");
    await duringOutage(lane, async () => {
      await update(lane, stack, version("two", HOUR_SECONDS));
      await isInProgress(lane, stack, "a");
      await lane.account.send("CheckDeadLetter", await visitOf(lane, stack, "b"));
      await eventually(
        "records are set aside, and the message is given up",
        OUTAGE_MS_MAX,
        async () =>
          (await depth(lane, "StreamFailures")) > 0 && (await depth(lane, "GivenUp")) > 0
            ? true
            : null,
      );
    });
    ok(!(await hasBegun(lane, stack)), "the event of the update's begin is not lost");
    match(await lane.replay(), /records to play\ngiven up: 1 messages, 1 to move\n/);
    const done = await lane.replay("--go");
    match(done, /[1-9]\d* records played, 0 failed again\ngiven up: 1 messages, 1 went back/);
    await ends(lane, stack, "UPDATE_FAILED");
    ok(await hasBegun(lane, stack), "the event of the update's begin is not there again");
    equal(await depth(lane, "StreamFailures"), 0);
    equal(await depth(lane, "GivenUp"), 0);
  },
};
