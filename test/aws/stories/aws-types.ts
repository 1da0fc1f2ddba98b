import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ListBucketsCommand, S3Client } from "@aws-sdk/client-s3";
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from "@aws-sdk/client-sqs";
import { present } from "#lib/errors.ts";
import { BUCKET, type CloudControlBeside, QUEUE } from "../cloud-control.ts";
import { connectionTo } from "../connection.ts";
import {
  create,
  ends,
  hot,
  type Lane,
  outputs,
  REPAIR_MS_MAX,
  remove,
  rowNamed,
  type Story,
  show,
  update,
} from "../lane.ts";

const PREFIX = "lane-files-";
const QUEUE_NAME = "lane-work";

const template = (bucket: string, delay: number): object =>
  hot(
    {
      files: { type: BUCKET, properties: { BucketName: `${PREFIX}${bucket}` } },
      work: {
        type: QUEUE,
        properties: {
          QueueName: QUEUE_NAME,
          DelaySeconds: delay,
          Tags: [{ Key: "files", Value: { get_resource: "files" } }],
        },
      },
    },
    { outputs: { bucket: { value: { get_resource: "files" } } } },
  );

const openWorld = (endpoint: string) => {
  const s3 = new S3Client({ ...connectionTo(endpoint), forcePathStyle: true });
  const sqs = new SQSClient(connectionTo(endpoint));
  return {
    buckets: async (): Promise<readonly string[]> => {
      const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
      return Buckets.flatMap(({ Name = "" }) => (Name.startsWith(PREFIX) ? [Name] : []));
    },
    delay: async (): Promise<string | null> => {
      const found = await sqs
        .send(new GetQueueUrlCommand({ QueueName: QUEUE_NAME }))
        .catch((error: unknown) => {
          if (error instanceof Error && /NonExistentQueue|QueueDoesNotExist/.test(error.name))
            return null;
          throw error;
        });
      if (found === null) return null;
      const AttributeNames = ["DelaySeconds" as const];
      const asked = new GetQueueAttributesCommand({ QueueUrl: found.QueueUrl, AttributeNames });
      return (await sqs.send(asked)).Attributes?.["DelaySeconds"] ?? "0";
    },
    close: () => {
      s3.destroy();
      sqs.destroy();
    },
  };
};

/** The worker is killed after its call has had its effect, so nobody receives the answer. */
const killingOnce = (lane: Lane, cloudControl: CloudControlBeside) => {
  const killWorkers = present(lane.killWorkers, "a way to kill workers");
  const kills = { count: 0 };
  cloudControl.onEffect = (action) => {
    if (action !== "CreateResource" || kills.count > 0) return;
    kills.count = killWorkers("CheckResource");
  };
  return kills;
};

const ofAnotherProject = async (lane: Lane): Promise<void> => {
  const other = { client: lane.foreignClient };
  const stack = await create(other, "aws-without-role", template("of-nobody", 0));
  await ends(other, stack, "CREATE_FAILED", REPAIR_MS_MAX);
  const { stack_status_reason } = await show(other, stack);
  match(stack_status_reason ?? "", /has no role in AWS.*awsRoles/s);
  await remove(other, stack, REPAIR_MS_MAX);
};

export const MADE_UNDER_A_ROLE =
  "a bucket and a queue are made, changed, replaced and deleted under a project's role";

export const awsTypes = (cloudControl: CloudControlBeside): Story => ({
  name: MADE_UNDER_A_ROLE,
  needs: ["loopback", "workers"],
  play: async (lane) => {
    const { double } = cloudControl;
    const world = openWorld(lane.endpoint);
    const stack = await create(lane, "aws-types", template("first", 0));
    await ends(lane, stack, "CREATE_COMPLETE", REPAIR_MS_MAX);
    deepEqual([await world.buckets(), await world.delay()], [[`${PREFIX}first`], "0"]);
    deepEqual(await outputs(lane, stack), { bucket: `${PREFIX}first` });
    const queueBefore = (await rowNamed(lane, stack, "work"))?.physicalResourceId;

    await update(lane, stack, template("first", 5));
    await ends(lane, stack, "UPDATE_COMPLETE", REPAIR_MS_MAX);
    deepEqual([await world.buckets(), await world.delay()], [[`${PREFIX}first`], "5"]);
    equal((await rowNamed(lane, stack, "work"))?.physicalResourceId, queueBefore);
    equal(double.made, 2);

    const kills = killingOnce(lane, cloudControl);
    await update(lane, stack, template("second", 5));
    await ends(lane, stack, "UPDATE_COMPLETE", REPAIR_MS_MAX);
    ok(kills.count > 0, "no worker was killed");
    deepEqual([await world.buckets(), await world.delay()], [[`${PREFIX}second`], "5"]);
    equal(double.made, 3, "the killed worker's bucket was made twice");

    await ofAnotherProject(lane);
    await remove(lane, stack, REPAIR_MS_MAX);
    deepEqual([await world.buckets(), await world.delay()], [[], null]);
    equal(double.objects.size, 0);
    deepEqual([...double.effects.values()], [1, 1, 1], "a token has made two objects");
    lane.say(`Cloud Control was called ${double.allCalls} times`);
    world.close();
  },
});
