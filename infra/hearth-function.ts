/**
 * One Lambda function: a folder of functions/, with its own role, log group and environment.
 * Callers use `live`, the published version that the deployment has released.
 */
import { fileURLToPath } from "node:url";
import { type Duration, Validations } from "aws-cdk-lib";
import { Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  type Alias,
  ApplicationLogLevel,
  Architecture,
  FunctionBase,
  type IFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { type ICommandHooks, NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { EnvironmentOf, FunctionName } from "#functions/aws/environment.ts";
import { BUNDLING, NODE_OPTIONS } from "./bundling.ts";
import type { Settings } from "./settings.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export const TRACE_ACTIONS = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"] as const;

/** Lambda then logs only its own failures, and our lines as before. */
const QUIET = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
};

export interface FunctionProps<Name extends FunctionName> {
  readonly name: Name;
  readonly description: string;
  readonly environment: EnvironmentOf<Name>;
  readonly timeout: Duration;
  readonly memoryMb: number;
  readonly mayCauseItself?: boolean;
  readonly isQuiet?: boolean;
  readonly files?: ICommandHooks | undefined;
  /** Reserves this many executions for the function and limits it to them. Null sets no limit. */
  readonly concurrencyMax?: number | null;
}

export class HearthFunction<Name extends FunctionName = FunctionName> extends Construct {
  readonly lambda: NodejsFunction;
  readonly live: IFunction;
  /** Null if the rollout is in place: callers then get the newest code at once. */
  readonly alias: Alias | null;
  readonly logs: LogGroup;
  readonly allowed = new Set<string>();
  readonly #role: Role;

  constructor(scope: Construct, settings: Settings, props: FunctionProps<Name>) {
    super(scope, constructIdOf(props.name));
    const { name, description, timeout, memoryMb, mayCauseItself = false, concurrencyMax } = props;
    this.logs = new LogGroup(this, "Logs", {
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    this.#role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `Hearth ${settings.stage}: what ${name} may do`,
    });
    this.allow(["logs:CreateLogStream", "logs:PutLogEvents"], [this.logs.logGroupArn]);
    this.lambda = new NodejsFunction(this, "Function", {
      description,
      entry: `${ROOT}functions/${name}/lambda.ts`,
      handler: "handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      role: this.#role.withoutPolicyUpdates(),
      logGroup: this.logs,
      timeout,
      memorySize: memoryMb,
      ...(settings.tracing ? { tracing: Tracing.ACTIVE } : {}),
      ...(mayCauseItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      ...(props.isQuiet ? QUIET : {}),
      ...(typeof concurrencyMax === "number" && { reservedConcurrentExecutions: concurrencyMax }),
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}package-lock.json`,
      environment: { ...props.environment, NODE_OPTIONS },
      bundling: {
        ...BUNDLING,
        mainFields: [...BUNDLING.mainFields],
        externalModules: [...BUNDLING.externalModules],
        ...(props.files === undefined ? {} : { commandHooks: props.files }),
      },
    });
    if (settings.tracing) this.#allowTraces();
    this.lambda.node.addDependency(this.#role);
    // CloudFormation deletes the former version once a deployment is complete, so versions do not
    // accumulate.
    this.alias = settings.rollout === "in-place" ? null : this.lambda.addAlias("live");
    this.live = asFunction(this.alias ?? this.lambda);
  }

  #allowTraces(): void {
    this.allow([...TRACE_ACTIONS], ["*"]);
    this.acknowledge("AwsSolutions-IAM5[Resource::*]", "X-Ray's actions accept no narrower one.");
  }

  get roleArn(): string {
    return this.#role.roleArn;
  }

  allow(actions: readonly string[], resources: readonly string[]): void {
    for (const action of actions) this.allowed.add(action);
    this.#role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources: [...resources] }),
    );
  }

  /**
   * Puts the permission into a separate policy, for a resource that refers to the function. In the
   * role's own policy the reference would be circular.
   */
  allowApart(id: string, actions: readonly string[], resources: readonly string[]): void {
    const statement = new PolicyStatement({ actions: [...actions], resources: [...resources] });
    new Policy(this, id, { roles: [this.#role], statements: [statement] });
  }

  acknowledge(id: string, reason: string): void {
    Validations.of(this).acknowledge({ id, reason });
  }
}

/** TypeScript does not accept an alias as IFunction: its role may be `undefined`. */
const isFunction = (called: Construct): called is Construct & IFunction =>
  called instanceof FunctionBase;

const asFunction = (called: Construct): IFunction => {
  if (!isFunction(called)) throw new Error(`${called.node.path} is no function`);
  return called;
};

const constructIdOf = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
