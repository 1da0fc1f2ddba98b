import { type App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { Construct } from "constructs";
import { IAM_BASE } from "#functions/authorizer/principal.ts";
import { stackNameOf } from "./account.ts";
import { addAlarms, addBudget } from "./alarms.ts";
import { Api } from "./api.ts";
import { Backup } from "./backup.ts";
import { reservedOf } from "./capacity.ts";
import { encrypt } from "./customer-key.ts";
import { addDashboard } from "./dashboard.ts";
import { Data } from "./data.ts";
import { Engine } from "./engine.ts";
import { Queues } from "./queues.ts";
import { Rollout } from "./rollout.ts";
import { isProtected, type Settings } from "./settings.ts";

export class HearthStack extends Stack {
  constructor(app: App, settings: Settings) {
    super(app, stackNameOf(settings), {
      description: "Hearth: orchestration of HOT templates on cloud functions",
      terminationProtection: isProtected(settings),
    });
    // CloudFormation refuses a dashboard's tags in me-central-1.
    const excludeResourceTypes = ["AWS::CloudWatch::Dashboard"];
    Tags.of(this).add("hearth:stage", settings.stage, { excludeResourceTypes });
    const data = new Data(this, "Data", settings);
    const queues = new Queues(this, "Queues");
    const api = new Api(this, "Api", settings);
    const { publicUrl } = api;
    const engine = new Engine(this, "Engine", { settings, data, queues, publicUrl });
    api.addRoutes(engine.functions);
    encrypt(this, settings, Object.values(engine.functions));
    if (!settings.emulator) new Backup(this, "Backup", data, settings);
    const observed = { settings, engine, queues, api };
    const watch = new Construct(this, "Alarms");
    const alarms = addAlarms(watch, observed);
    if (settings.rollout === "canary") new Rollout(this, "Rollout", engine.functions, alarms);
    addDashboard(watch, observed);
    addBudget(watch, settings);

    const outputs = {
      Url: publicUrl,
      ConsoleUrl: `${publicUrl}/console/index.html`,
      ...(Object.keys(settings.iamTenants).length > 0 ? { IamUrl: `${publicUrl}${IAM_BASE}` } : {}),
      FunctionUrl: engine.functionUrl,
      // The next deployment subtracts this from the account's reservations.
      ReservedExecutions: String(reservedOf(settings)),
      ApiId: api.rest.restApiId,
      ApiTokensTable: data.apiTokens.tableName,
      Tables: JSON.stringify(data.restoredTableNames()),
      SyncPointsTable: data.tables.syncPoints.tableName,
      ...(settings.paused ? { Paused: "yes" } : {}),
      BlobsBucket: data.blobs.bucketName,
      StateMachineArn: engine.supervisor.stateMachineArn,
      VisitorRoles: this.toJsonString(engine.visitorRoleArns()),
      SigningSecretArn: data.secretArns.signing,
      EncryptionSecretArn: data.secretArns.encryption,
      GivenUpQueueUrl: queues.givenUp.queueUrl,
      StreamFailuresQueueUrl: queues.streamFailures.queueUrl,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
