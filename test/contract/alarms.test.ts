/**
 * The cause of each alarm is made in a stage that runs in this process: the real functions, on the
 * AWS adapters, called as the synthesized template says. The alarms of the template then read what
 * the functions' logs and the documented metrics of the services say. Similar conditions, played
 * beside each cause, must not raise an alarm.
 */
import { randomUUID } from "node:crypto";
import { Template } from "aws-cdk-lib/assertions";
import type { DynamoDBRecord } from "aws-lambda";
import { beforeAll, describe, expect, it } from "vitest";
import type { FunctionName } from "#functions/aws/environment.ts";
import { createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import { type ReadTemplate, readTemplate } from "#test/aws/alarms/read-template.ts";
import { RunningStage } from "#test/aws/alarms/running-stage.ts";
import { refused } from "#test/aws/in-process/refusals.ts";
import { marshallImage } from "#test/unit/functions/stream-event.ts";
import type { Account } from "../../infra/account.ts";
import { graphOf, templateOf } from "../../tools/bench/cost/graphs.ts";
import { appWith, SYNTHESIS_MS_MAX } from "../architecture/synthesize.ts";
import { limitMs } from "./limits.ts";
import { aCheck } from "./records.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const ACCOUNT: Account = {
  region: "eu-west-1",
  concurrentExecutions: 1_000,
  unreserved: 1_000,
  deployed: { Url: "https://alarms.example" },
};

let template: ReadTemplate;
let firstTemplate: ReadTemplate;
beforeAll(() => {
  const read = (account: Account): ReadTemplate =>
    readTemplate(Template.fromStack(appWith({}, account).stack));
  template = read(ACCOUNT);
  firstTemplate = read({ ...ACCOUNT, deployed: null });
}, SYNTHESIS_MS_MAX);

/** Refuses the writes of a function, as if its role lacked a right. */
const denied =
  (...by: readonly FunctionName[]): RunningStage["fault"] =>
  (caller, service, command) =>
    by.includes(caller) && service === "dynamodb" && /Put|Update|Write/.test(command)
      ? refused("not authorized", "AccessDeniedException")
      : null;
const deniedReads =
  (...by: readonly FunctionName[]): RunningStage["fault"] =>
  (caller, service) =>
    by.includes(caller) && service === "dynamodb"
      ? refused("not authorized", "AccessDeniedException")
      : null;
const throttled =
  (...by: readonly FunctionName[]): RunningStage["fault"] =>
  (caller, service) =>
    by.includes(caller) && service !== "sqs" ? refused("slow down", "ThrottlingException") : null;

const createStack = async ({ ports }: RunningStage, resources: number): Promise<void> => {
  const [id, templateId] = [randomUUID(), randomUUID()];
  const graph = graphOf("independent", resources);
  await saveTemplate(ports, "demo", id, templateId, templateOf(graph));
  const first = { tenant: "demo", id, name: id, description: "", templateId, tags: [] };
  await createFirstTraversal(ports, { ...first, timeoutMins: 60, disableRollback: true });
};

const accepted = (): DynamoDBRecord => ({
  eventName: "INSERT",
  dynamodb: {
    SequenceNumber: randomUUID(),
    Keys: marshallImage({ pk: randomUUID() }),
    NewImage: marshallImage({
      tenant: "demo",
      id: randomUUID(),
      name: "web",
      action: "CREATE",
      status: "IN_PROGRESS",
      statusReason: "Stack CREATE started",
      statusVersion: 1,
      timeoutMins: 60,
      traversalId: randomUUID(),
      deadline: Date.now() + 3_600_000,
      actor: null,
      createdAt: Date.now(),
      updatedAt: null,
      endedAt: null,
    }),
  },
});

const message = (): string => JSON.stringify(aCheck(randomUUID()));

const ownExecutions = (): number =>
  template.sources.reduce((sum, one) => sum + (one.ScalingConfig?.MaximumConcurrency ?? 1), 0);

const requests = async (stage: RunningStage, count: number, path = "/v1/demo/stacks") => {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1)
    statuses.push(await stage.request("api", path, "demo"));
  return new Set(statuses);
};

interface Play {
  readonly what: string;
  readonly play: (stage: RunningStage) => Promise<void>;
  readonly goesOff: readonly string[];
  readonly isFirst?: true;
}

const coldStarts = (
  name: FunctionName,
  goesOff: readonly string[],
  call: (stage: RunningStage) => Promise<unknown>,
  times = 3,
): Play => ({
  what: `${name} cannot start, because a variable is missing`,
  goesOff,
  play: async (stage) => {
    stage.brokenStarts.add(name);
    for (let calls = 0; calls < times; calls += 1) {
      await call(stage);
      await stage.run(1);
    }
    await stage.run(5 * MINUTE);
  },
});

const CAUSES: readonly Play[] = [
  {
    what: "a message that nobody can read",
    goesOff: ["CheckDeadLettersWaiting", "MessagesDeadLettered", "MessagesGivenUp"],
    play: async (stage) => {
      stage.send("Check", "{}");
      await stage.run(1.5 * HOUR);
    },
  },
  {
    what: "a change that no version could have written",
    goesOff: ["EventsDelayed", "StreamRecordsFailed"],
    play: async (stage) => {
      stage.feed("events", {
        dynamodb: { SequenceNumber: "1", NewImage: marshallImage({ statusVersion: 1 }) },
      });
      await stage.run(30 * MINUTE);
    },
  },
  ...(["Prepare", "Check", "Poll"] as const).flatMap((queue): readonly Play[] => [
    {
      what: `the handler of dead letters of ${queue} cannot start`,
      goesOff: [`${queue}DeadLettersWaiting`],
      play: async (stage) => {
        stage.brokenStarts.add("dead-letter");
        stage.send(`${queue}DeadLetter`, message());
        await stage.run(30 * MINUTE);
      },
    },
    {
      what: `the source of the dead letters of ${queue} is off`,
      goesOff: [`${queue}DeadLettersWaiting`],
      play: async (stage) => {
        stage.switchedOff.add("dead-letter");
        stage.send(`${queue}DeadLetter`, message());
        await stage.run(30 * MINUTE);
      },
    },
  ]),
  {
    what: "check-resource has lost a right, and twenty resources wait for it",
    goesOff: ["MessagesDeadLettered", "VisitsFailing"],
    play: async (stage) => {
      await createStack(stage, 20);
      stage.fault = denied("check-resource");
      await stage.run(20 * MINUTE);
    },
  },
  coldStarts("prepare-traversal", ["PrepareTraversalFailing"], async (stage) =>
    stage.send("Prepare", message()),
  ),
  coldStarts("check-resource", ["CheckResourceFailing"], async (stage) =>
    stage.send("Check", message()),
  ),
  coldStarts("events", ["EventsFailing"], async (stage) => stage.feed("events", accepted())),
  coldStarts("supervise-stacks", ["SuperviseStacksFailing"], async (stage) =>
    stage.feed("supervise-stacks", accepted()),
  ),
  coldStarts("api", ["ApiCallsFailing"], (stage) => requests(stage, 1)),
  coldStarts("metadata", ["MetadataFailing"], (stage) => stage.request("metadata", "/v1/agent")),
  coldStarts("signal", ["SignalFailing"], (stage) => stage.request("signal", "/v1/agent")),
  coldStarts("agent-polls", ["AgentPollsFailing"], (stage) =>
    stage.call("agent-polls", async () => "its handler is not reached"),
  ),
  coldStarts("authorizer", ["AuthorizerFailing"], (stage) => stage.requestUnauthorized(), 5),
  {
    what: "nothing empties the queues of work",
    goesOff: ["CheckQueueStalled", "PrepareQueueStalled"],
    play: async (stage) => {
      stage.switchedOff.add("check-resource").add("prepare-traversal");
      stage.send("Check", message());
      stage.send("Prepare", message());
      await stage.run(20 * MINUTE);
    },
  },
  {
    what: "the events' table is busy for twenty minutes",
    goesOff: ["EventsDelayed"],
    play: async (stage) => {
      stage.fault = throttled("events");
      stage.feed("events", accepted());
      await stage.run(20 * MINUTE);
      stage.fault = () => null;
      await stage.run(10 * MINUTE);
    },
  },
  {
    what: "Step Functions is away for twenty minutes",
    goesOff: ["SupervisorDelayed"],
    play: async (stage) => {
      stage.fault = (_by, service) =>
        service === "sfn" ? refused("away", "ServiceUnavailable") : null;
      stage.feed("supervise-stacks", accepted());
      await stage.run(20 * MINUTE);
      stage.fault = () => null;
      await stage.run(10 * MINUTE);
    },
  },
  {
    what: "the schedule of the sweeper is off",
    goesOff: ["SweeperNotRunning"],
    play: async (stage) => {
      await stage.run(15 * MINUTE);
      stage.switchedOff.add("sweep");
      await stage.run(15 * MINUTE);
    },
  },
  {
    what: "the sweeper has lost a right",
    goesOff: ["SweeperFailing"],
    play: async (stage) => {
      stage.fault = deniedReads("sweep");
      await stage.run(15 * MINUTE);
    },
  },
  {
    what: "the function that keeps the supervisor's token has lost a right",
    goesOff: ["SupervisorFailing"],
    play: async (stage) => {
      stage.fault = deniedReads("await-end");
      await stage.superviseOnce();
      await stage.run(5 * MINUTE);
    },
  },
  {
    what: "the API has lost a right",
    goesOff: ["ApiFailing"],
    play: async (stage) => {
      stage.fault = deniedReads("api");
      expect(await requests(stage, 5)).toEqual(new Set([500]));
      await stage.run(5 * MINUTE);
    },
  },
  {
    what: "the tables are busy for many users and a quarter of an hour",
    goesOff: ["ApiUnavailable"],
    play: async (stage) => {
      stage.fault = throttled("api");
      for (let minutes = 0; minutes < 20; minutes += 1) {
        expect(await requests(stage, 12)).toEqual(new Set([503]));
        await stage.run(MINUTE);
      }
    },
  },
  {
    what: "other functions take all executions of the account for a minute",
    goesOff: ["ApiThrottled", "AuthorizerFailing"],
    play: async (stage) => {
      await stage.run(10 * MINUTE);
      stage.free = 0;
      for (let sent = 0; sent < 10; sent += 1) expect(await stage.requestUnauthorized()).toBe(503);
      await stage.run(MINUTE);
      stage.free = 1;
      await stage.run(10 * MINUTE);
    },
  },
];

const INNOCENT: readonly Play[] = [
  {
    what: "a quiet hour after the first deployment",
    isFirst: true,
    goesOff: [],
    play: async (stage) => {
      stage.switchedOff.add("sweep");
      await stage.run(12 * MINUTE);
      stage.switchedOff.delete("sweep");
      await stage.run(HOUR);
    },
  },
  {
    what: "a stack of twenty resources that is made",
    goesOff: [],
    play: async (stage) => {
      await createStack(stage, 20);
      await stage.run(15 * MINUTE);
    },
  },
  {
    what: "one resource whose visits always fail",
    goesOff: ["MessagesDeadLettered"],
    play: async (stage) => {
      await createStack(stage, 1);
      stage.fault = denied("check-resource");
      await stage.run(30 * MINUTE);
    },
  },
  {
    what: "one message whose worker dies each time",
    goesOff: ["CheckQueueStalled", "MessagesDeadLettered"],
    play: async (stage) => {
      stage.dying.add("check-resource");
      stage.send("Check", message());
      await stage.run(1.5 * HOUR);
    },
  },
  {
    what: "busy tables behind the visits for ten minutes",
    goesOff: [],
    play: async (stage) => {
      await createStack(stage, 20);
      stage.fault = throttled("check-resource");
      await stage.run(10 * MINUTE);
      stage.fault = () => null;
      await stage.run(20 * MINUTE);
    },
  },
  {
    what: "busy tables for a few users and five minutes",
    goesOff: [],
    play: async (stage) => {
      stage.fault = throttled("api");
      for (let minutes = 0; minutes < 5; minutes += 1) {
        expect(await requests(stage, 12)).toEqual(new Set([503]));
        await stage.run(MINUTE);
      }
      stage.fault = () => null;
      await stage.run(15 * MINUTE);
    },
  },
  {
    what: "strangers with invented tokens",
    goesOff: [],
    play: async (stage) => {
      for (let minutes = 0; minutes < 10; minutes += 1) {
        for (let sent = 0; sent < 20; sent += 1)
          expect(await stage.requestUnauthorized()).toBe(401);
        await stage.run(MINUTE);
      }
    },
  },
  {
    what: "an outage of a minute behind the streams",
    goesOff: [],
    play: async (stage) => {
      stage.fault = (by, service) =>
        by === "events" || service === "sfn" ? refused("away", "ServiceUnavailable") : null;
      stage.feed("events", accepted());
      stage.feed("supervise-stacks", accepted());
      await stage.run(MINUTE);
      stage.fault = () => null;
      await stage.run(15 * MINUTE);
    },
  },
  {
    what: "all that the stage itself may run at once",
    goesOff: [],
    play: async (stage) => {
      stage.free = ACCOUNT.concurrentExecutions - ownExecutions();
      for (let sent = 0; sent < 20; sent += 1) await stage.requestUnauthorized();
      await stage.run(15 * MINUTE);
    },
  },
  {
    what: "a supervisor's task that finds a busy table three times",
    goesOff: [],
    play: async (stage) => {
      let busy = 3;
      stage.fault = (by) =>
        by === "await-end" && busy-- > 0 ? refused("slow", "ThrottlingException") : null;
      await stage.superviseOnce();
      await stage.run(5 * MINUTE);
    },
  },
];

const playEach = (plays: readonly Play[]): void => {
  it.each(plays)(
    "$what: $goesOff",
    async ({ play, goesOff, isFirst }) => {
      const stage = await RunningStage.open(isFirst ? firstTemplate : template);
      await play(stage);
      expect(stage.alarms()).toEqual(goesOff.toSorted());
    },
    limitMs(60_000),
  );
};

describe("a cause sets off its alarms and no others", () => {
  playEach(CAUSES);
});

describe("what looks like a cause sets off none", () => {
  playEach(INNOCENT);
});

it("has a cause for each alarm of the template", () => {
  const made = new Set(CAUSES.flatMap(({ goesOff }) => goesOff));
  expect([...made].toSorted()).toEqual(template.alarms.map(({ name }) => name).toSorted());
});
