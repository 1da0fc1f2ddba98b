/**
 * Cloud Control for an emulator that has none: the double of `npm run lane -- cloud-control`, which
 * makes its buckets and queues in the emulator. It also creates a project's role.
 */
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  EntityAlreadyExistsException,
  IAMClient,
} from "@aws-sdk/client-iam";
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from "@aws-sdk/client-s3";
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueUrlCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { JsonObject } from "#provider/provider.ts";
import { type Double, startDouble } from "../cloud-control/cloud-control-double.ts";
import { connectionTo } from "./connection.ts";
import { PROJECT } from "./lane.ts";

const ROLE_NAME = "hearth-lane-demo";
const EXTERNAL_ID = "lane-7f3a";
const ACCOUNT = "000000000000";

export const BUCKET = "AWS::S3::Bucket";
export const QUEUE = "AWS::SQS::Queue";

export const AWS_ROLES = {
  [PROJECT]: {
    role_arn: `arn:aws:iam::${ACCOUNT}:role/${ROLE_NAME}`,
    region: "us-east-1",
    external_id: EXTERNAL_ID,
    servers: { images: {}, flavors: { small: "t3.small" } },
  },
};

export interface CloudControlBeside {
  readonly url: string;
  readonly double: Double;
  onEffect: (action: string) => void;
  close(): Promise<void>;
}

const TRUST = JSON.stringify({
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "sts:ExternalId": EXTERNAL_ID } },
    },
  ],
});

interface Kind {
  readonly put: (model: JsonObject, isNew: boolean) => Promise<unknown>;
  readonly remove: (model: JsonObject) => Promise<unknown>;
}

const kindsAt = (s3: S3Client, sqs: SQSClient): Readonly<Record<string, Kind>> => {
  const urlOf = async (QueueName: string) =>
    (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl;
  const attributesOf = ({ DelaySeconds = 0 }: JsonObject) => ({
    DelaySeconds: String(DelaySeconds),
  });
  return {
    [BUCKET]: {
      put: async ({ BucketName }, isNew) =>
        isNew && s3.send(new CreateBucketCommand({ Bucket: String(BucketName) })),
      remove: ({ BucketName }) => s3.send(new DeleteBucketCommand({ Bucket: String(BucketName) })),
    },
    [QUEUE]: {
      put: async (model, isNew) => {
        const QueueName = String(model["QueueName"]);
        const Attributes = attributesOf(model);
        if (isNew) return sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
        const QueueUrl = await urlOf(QueueName);
        return sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
      },
      remove: async ({ QueueName }) =>
        sqs.send(new DeleteQueueCommand({ QueueUrl: await urlOf(String(QueueName)) })),
    },
  };
};

const followerOf = (kinds: Readonly<Record<string, Kind>>) => {
  const followed = new Map<string, { readonly type: string; readonly model: JsonObject }>();
  const follow = async ({ objects }: Double): Promise<void> => {
    for (const [key, { type, model }] of objects) {
      const known = followed.get(key);
      if (known?.model === model) continue;
      await kinds[type]?.put(model, known === undefined);
      followed.set(key, { type, model });
    }
    for (const [key, { type, model }] of [...followed]) {
      if (objects.has(key)) continue;
      await kinds[type]?.remove(model);
      followed.delete(key);
    }
  };
  let last: Promise<void> = Promise.resolve();
  return (double: Double): Promise<void> => {
    last = last.then(() => follow(double));
    return last;
  };
};

/** The role exists already if an earlier run on this emulator was interrupted. */
const makeRole = async (iam: IAMClient): Promise<void> => {
  const role = { RoleName: ROLE_NAME, AssumeRolePolicyDocument: TRUST };
  try {
    await iam.send(new CreateRoleCommand(role));
  } catch (error) {
    if (!(error instanceof EntityAlreadyExistsException)) throw error;
  }
};

export const startCloudControl = async (endpoint: string): Promise<CloudControlBeside> => {
  const connection = connectionTo(endpoint);
  const s3 = new S3Client({ ...connection, forcePathStyle: true });
  const sqs = new SQSClient(connection);
  const iam = new IAMClient(connection);
  await makeRole(iam);
  const follow = followerOf(kindsAt(s3, sqs));
  const { double, url, stop } = await startDouble({
    // The emulator's own STS has already granted or refused the session.
    isSession: () => true,
    afterEffect: async (action, of) => {
      await follow(of);
      beside.onEffect(action);
    },
  });
  const beside: CloudControlBeside = {
    url,
    double,
    onEffect: () => undefined,
    close: async () => {
      await stop();
      await iam.send(new DeleteRoleCommand({ RoleName: ROLE_NAME }));
      for (const client of [s3, sqs, iam]) client.destroy();
    },
  };
  return beside;
};
