/**
 * AWS Backup's daily copies. They are in addition to the tables' point-in-time recovery of 35 days.
 */
import { Aws, Duration, Fn, RemovalPolicy, Validations } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Data } from "./data.ts";
import type { Settings } from "./settings.ts";

const POLICIES = [
  "service-role/AWSBackupServiceRolePolicyForBackup",
  "AWSBackupServiceRolePolicyForS3Backup",
];

const DAILY = Schedule.cron({ hour: "2", minute: "30" });

/**
 * The stack's id contains a UUID, which distinguishes a stage from a former one of the same name.
 */
const stackPart = (): string =>
  Fn.select(0, Fn.split("-", Fn.select(2, Fn.split("/", Aws.STACK_ID))));

export class Backup extends Construct {
  constructor(scope: Construct, id: string, data: Data, { stage, backupPlan }: Settings) {
    super(scope, id);
    // The vault stays when the plan is removed: a vault with copies cannot be deleted, and an empty
    // one is free.
    const vault = new BackupVault(this, "Vault", {
      backupVaultName: `hearth-${stage}-${stackPart()}`,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    if (backupPlan === undefined) return;
    const plan = new BackupPlan(this, "Plan", { backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: "daily",
        scheduleExpression: DAILY,
        deleteAfter: Duration.days(backupPlan),
      }),
    );
    plan.addSelection("Selection", {
      role: roleOf(this),
      disableDefaultBackupPolicy: true,
      resources: [
        ...data.recovered.map((table) => BackupResource.fromDynamoDbTable(table)),
        BackupResource.fromArn(data.blobs.bucketArn),
      ],
    });
  }
}

const roleOf = (scope: Construct): Role => {
  const role = new Role(scope, "Role", {
    assumedBy: new ServicePrincipal("backup.amazonaws.com"),
    description: "Hearth: copies the tables and the bucket",
    managedPolicies: POLICIES.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  for (const name of POLICIES) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
      reason: "Only AWS Backup assumes it, and AWS keeps the list of what a backup needs.",
    });
  }
  return role;
};
