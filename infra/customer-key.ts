/**
 * Encrypts everything that is stored with a KMS key of the customer: tables, bucket, queues,
 * secrets and logs. The key is set on all constructs at the end, so that a new one is not
 * forgotten.
 */
import { Aws, CfnOutput, type Stack } from "aws-cdk-lib";
import { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { CfnLogGroup } from "aws-cdk-lib/aws-logs";
import { CfnBucket } from "aws-cdk-lib/aws-s3";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { CfnQueue } from "aws-cdk-lib/aws-sqs";
import type { IConstruct } from "constructs";
import type { HearthFunction } from "./hearth-function.ts";
import type { Settings } from "./settings.ts";

const READING = ["kms:Decrypt", "kms:DescribeKey"];
const WRITING = [
  ...READING,
  "kms:Encrypt",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
];
const WRITES = /:(Put|Update|Delete|BatchWrite)Item|:SendMessage|:PutObject|:PutSecretValue/;

/**
 * Does nothing if the settings name no key and create none, because AWS's own keys are free. The
 * outputs tell the next deployment which keys it must keep.
 */
export const encrypt = (
  stack: Stack,
  settings: Settings,
  functions: readonly HearthFunction[],
): void => {
  const { customerKey, kmsKeyArn, formerKmsKeyArns } = settings;
  const keyArn = keyArnOf(stack, settings);
  const named = [...(kmsKeyArn === undefined ? [] : [kmsKeyArn]), ...formerKmsKeyArns];
  if (named.length > 0) new CfnOutput(stack, "KmsKeyArns", { value: named.join(",") });
  if (customerKey) new CfnOutput(stack, "CustomerKeyArn", { value: keyArn ?? "" });
  if (formerKmsKeyArns.length > 0) {
    for (const one of functions) one.allow(READING, formerKmsKeyArns);
  }
  if (keyArn === undefined) return;
  for (const construct of stack.node.findAll()) setKey(construct, keyArn);
  for (const one of functions) {
    const isWriting = [...one.allowed].some((action) => WRITES.test(action));
    one.allow(isWriting ? WRITING : READING, [keyArn]);
  }
};

const keyArnOf = (stack: Stack, settings: Settings): string | undefined => {
  if (!settings.customerKey) return settings.kmsKeyArn;
  const key = new Key(stack, "CustomerKey", {
    description: `Hearth ${settings.stage}: everything that is stored`,
    enableKeyRotation: true,
    removalPolicy: settings.removalPolicy,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${Aws.REGION}.${Aws.URL_SUFFIX}`)],
      actions: [
        "kms:Encrypt*",
        "kms:Decrypt*",
        "kms:ReEncrypt*",
        "kms:GenerateDataKey*",
        "kms:Describe*",
      ],
      resources: ["*"],
      conditions: {
        ArnLike: {
          "kms:EncryptionContext:aws:logs:arn": `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*`,
        },
      },
    }),
  );
  return key.keyArn;
};

const setKey = (construct: IConstruct, keyArn: string): void => {
  if (construct instanceof CfnTable) {
    construct.sseSpecification = { sseEnabled: true, sseType: "KMS", kmsMasterKeyId: keyArn };
  } else if (construct instanceof CfnBucket) {
    const byDefault = { sseAlgorithm: "aws:kms", kmsMasterKeyId: keyArn };
    const rule = { serverSideEncryptionByDefault: byDefault, bucketKeyEnabled: true };
    construct.bucketEncryption = { serverSideEncryptionConfiguration: [rule] };
  } else if (construct instanceof CfnQueue) {
    construct.sqsManagedSseEnabled = false;
    construct.kmsMasterKeyId = keyArn;
  } else if (construct instanceof CfnSecret || construct instanceof CfnLogGroup) {
    construct.kmsKeyId = keyArn;
  }
};
