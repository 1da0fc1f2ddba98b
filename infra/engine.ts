import { Aws, Duration, Validations } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { CfnPermission } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type {
  EngineEnvironment,
  EnvironmentOf,
  FunctionName,
  Places,
  Retained,
} from "#functions/aws/environment.ts";
import { SPILLED_ATTRIBUTE } from "#lib/adapters/aws/tables.ts";
import type { TenantRates } from "#lib/api/request-limit.ts";
import { pollUrls } from "./agent-urls.ts";
import { FILES } from "./bundling.ts";
import {
  atMost,
  type BatchSize,
  FUNCTION_MEMORY_MB,
  QUEUE_BATCHES,
  sharesOf,
  visitBound,
} from "./capacity.ts";
import type { Data } from "./data.ts";
import { feedFromQueue, feedFromStream } from "./feeds.ts";
import { FUNCTION_SIZES } from "./function-sizes.ts";
import { HearthFunction } from "./hearth-function.ts";
import { Permissions } from "./permissions.ts";
import type { Queues } from "./queues.ts";
import { hasAny, hasServers, type Settings } from "./settings.ts";
import { Supervisor } from "./supervisor.ts";

const POLLED = "agent-polls";
const SWEEP_EVERY = Duration.minutes(1);
const ROTATE_EVERY = Duration.days(90);
const DEAD_LETTER_BATCH: BatchSize = { max: 1, windowSeconds: 0 };
/** Matches only stacks: the table's graphs and names have no events. */
const IS_STACK = { dynamodb: { NewImage: { statusVersion: { N: [{ exists: true }] } } } };
const HAD_SPILLED = {
  eventName: ["REMOVE"],
  dynamodb: { OldImage: { [SPILLED_ATTRIBUTE]: { S: [{ exists: true }] } } },
};

export interface EngineProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly queues: Queues;
  readonly publicUrl: string;
}

export class Engine extends Construct {
  readonly functions: Readonly<Record<FunctionName, HearthFunction>>;
  readonly supervisor: Supervisor;
  readonly functionUrl: string;

  constructor(scope: Construct, id: string, props: EngineProps) {
    super(scope, id);
    const { settings, data, queues } = props;
    const { agents } = sharesOf(settings);
    const make = <Name extends FunctionName>(name: Name, environment: EnvironmentOf<Name>) =>
      new HearthFunction(this, settings, {
        name,
        environment,
        ...FUNCTION_SIZES[name],
        memoryMb: FUNCTION_MEMORY_MB[name],
        concurrencyMax: settings.paused ? 0 : name === POLLED ? agents : null,
        files: FILES[name],
      });
    const places = placesOf(data, queues);
    const urls = pollUrls(settings, props.publicUrl);
    const base = engineEnvironment(places, props);
    const agentPolls = make(POLLED, { ...base, POLL_URL: urls.template });
    const polled = urls.resolve(agentPolls.live);
    this.functionUrl = polled.functionUrl;
    const engine = { ...base, POLL_URL: polled.base };
    const checking = { ...engine, ...checkingOf(settings) };
    const visiting = { ...engine, ...visitingOf(settings) };
    const STAGE = settings.stage;
    const EXECUTIONS_TABLE = data.executions.tableName;

    const awaitEnd = make("await-end", { ...places, EXECUTIONS_TABLE });
    const deadline = make("deadline", engine);
    this.supervisor = new Supervisor(this, "Supervisor", { settings, awaitEnd, deadline });
    const STATE_MACHINE = this.supervisor.stateMachineArn;
    this.functions = {
      api: make("api", {
        ...checking,
        ...watchedOf(queues),
        IAM_TENANTS: JSON.stringify(settings.iamTenants),
        THROTTLE_TABLE: data.throttle.tableName,
        TENANT_RATES: JSON.stringify(ratesOf(settings)),
        ...(settings.authorizer === "function"
          ? { API_TOKENS_TABLE: data.apiTokens.tableName }
          : {}),
      }),
      metadata: make("metadata", engine),
      [POLLED]: agentPolls,
      signal: make("signal", engine),
      authorizer: make("authorizer", { API_TOKENS_TABLE: data.apiTokens.tableName }),
      "prepare-traversal": make("prepare-traversal", checking),
      "check-resource": make("check-resource", visiting),
      "dead-letter": make("dead-letter", visiting),
      events: make("events", { ...places, ...retainedOf(settings) }),
      sweep: make("sweep", engine),
      "supervise-stacks": make("supervise-stacks", { STAGE, STATE_MACHINE, EXECUTIONS_TABLE }),
      "await-end": awaitEnd,
      deadline,
      "rotate-signing-key": make("rotate-signing-key", {}),
      console: make("console", {}),
    };
    new Permissions(data, queues, this.supervisor, settings).give(this.functions);
    this.#feed(props);
  }

  visitorRoleArns(): readonly string[] {
    return [this.functions["check-resource"], this.functions["dead-letter"]].map(
      ({ roleArn }) => roleArn,
    );
  }

  #feed({ settings, data, queues }: EngineProps): void {
    const { functions } = this;
    const { prepare, check, poll } = queues.work;
    const visits = functions["check-resource"];
    const shares = sharesOf(settings);
    const prepares = functions["prepare-traversal"];
    feedFromQueue(prepares, prepare, QUEUE_BATCHES.prepare, atMost(shares.prepare));
    feedFromQueue(visits, check, QUEUE_BATCHES.check, visitBound(settings));
    feedFromQueue(visits, poll, QUEUE_BATCHES.poll, atMost(shares.poll));
    for (const letters of Object.values(queues.deadLetters)) {
      feedFromQueue(
        functions["dead-letter"],
        letters,
        DEAD_LETTER_BATCH,
        atMost(shares.deadLetter),
      );
    }
    const { stacks, resources } = data.tables;
    const { streamFailures } = queues;
    feedFromStream(functions.events, stacks, streamFailures, [IS_STACK, HAD_SPILLED]);
    feedFromStream(functions.events, resources, streamFailures);
    feedFromStream(functions["supervise-stacks"], stacks, streamFailures, [IS_STACK]);
    new Rule(this, "SweepSchedule", {
      description: "Hearth: runs the sweeper",
      schedule: Schedule.rate(SWEEP_EVERY),
      targets: [new LambdaFunction(functions.sweep.live)],
    });
    if (!settings.emulator) {
      data.signingSecret.addRotationSchedule("Rotation", {
        rotationLambda: functions["rotate-signing-key"].live,
        automaticallyAfter: ROTATE_EVERY,
        rotateImmediatelyOnUpdate: false,
      });
      onlyForOwnAccount(functions["rotate-signing-key"]);
    } else {
      Validations.of(data.signingSecret).acknowledge({
        id: "AwsSolutions-SMG4",
        reason: "Emulators have no rotation schedules (context emulator).",
      });
    }
  }
}

/**
 * Secrets Manager acts for every account, so the permission names the account whose secrets count.
 */
const onlyForOwnAccount = ({ live }: HearthFunction): void => {
  for (const child of live.node.findAll())
    if (child instanceof CfnPermission) child.sourceAccount = Aws.ACCOUNT_ID;
};

const placesOf = ({ tables, testObjects, blobs }: Data, { work }: Queues): Places => ({
  STACKS_TABLE: tables.stacks.tableName,
  RESOURCES_TABLE: tables.resources.tableName,
  SYNC_POINTS_TABLE: tables.syncPoints.tableName,
  EVENTS_TABLE: tables.events.tableName,
  SOFTWARE_CONFIGS_TABLE: tables.softwareConfigs.tableName,
  EVIDENCE_TABLE: tables.evidence.tableName,
  ...(testObjects === null ? {} : { FAKE_PROVIDER_TABLE: testObjects.tableName }),
  BLOBS_BUCKET: blobs.bucketName,
  PREPARE_QUEUE_URL: work.prepare.queueUrl,
  CHECK_QUEUE_URL: work.check.queueUrl,
  POLL_QUEUE_URL: work.poll.queueUrl,
});

const watchedOf = ({ deadLetters, givenUp, streamFailures }: Queues) => ({
  PREPARE_DEAD_LETTER_QUEUE: deadLetters.prepare.queueName,
  CHECK_DEAD_LETTER_QUEUE: deadLetters.check.queueName,
  POLL_DEAD_LETTER_QUEUE: deadLetters.poll.queueName,
  GIVEN_UP_QUEUE: givenUp.queueName,
  STREAM_FAILURES_QUEUE: streamFailures.queueName,
});

const ratesOf = ({ tenantRate, tenantRates }: Settings): TenantRates => ({
  rate: tenantRate,
  own: tenantRates,
});

const retainedOf = ({ retentionDays, eventsPerStackMax }: Settings): Retained => ({
  RETENTION_DAYS: String(retentionDays),
  EVENTS_PER_STACK_MAX: String(eventsPerStackMax),
});

const serversOf = ({ awsRoles, openStackSecrets }: Settings) => {
  if (hasAny(openStackSecrets)) return { SERVERS: "openstack" as const };
  return hasServers(awsRoles) ? { SERVERS: "ec2" as const } : {};
};

const checkingOf = (settings: Settings) => ({
  ...(hasAny(settings.awsRoles) ? { AWS_TYPES: "yes" as const } : {}),
  ...serversOf(settings),
});

const visitingOf = (settings: Settings) => ({
  ...(hasAny(settings.awsRoles) ? { AWS_ROLES: JSON.stringify(settings.awsRoles) } : {}),
  ...(hasAny(settings.openStackSecrets)
    ? { OPENSTACK_SECRETS: JSON.stringify(settings.openStackSecrets) }
    : {}),
  ...(settings.cloudControlUrl === undefined
    ? {}
    : { AWS_ENDPOINT_URL_CLOUDCONTROL: settings.cloudControlUrl }),
});

const engineEnvironment = (
  places: Places,
  { data, publicUrl, settings }: EngineProps,
): Omit<EngineEnvironment, "POLL_URL"> => ({
  ...places,
  ...retainedOf(settings),
  STAGE: settings.stage,
  SIGNING_SECRET: data.secretArns.signing,
  ENCRYPTION_SECRET: data.secretArns.encryption,
  PUBLIC_URL: publicUrl,
  REVISION: settings.revision,
  ...(Object.keys(settings.plugIns).length > 0
    ? { PLUG_INS: JSON.stringify(settings.plugIns) }
    : {}),
});
