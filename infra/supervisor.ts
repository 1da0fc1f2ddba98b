/**
 * Step Functions watches each stack operation with one Standard execution, named after its
 * traversal. The execution waits for the operation's end by a task token, or wakes at its deadline.
 */
import { Aws, Validations } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { CfnStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { type HearthFunction, TRACE_ACTIONS } from "./hearth-function.ts";
import { SUM } from "./metrics.ts";
import type { Settings } from "./settings.ts";

export interface SupervisorProps {
  readonly settings: Settings;
  readonly awaitEnd: HearthFunction;
  readonly deadline: HearthFunction;
}

/** An emulator cannot read the timeout from the input, so the deadline is checked this often. */
const EMULATOR_LOOK_SECONDS = 5;

/** The errors that AWS advises to retry. The sweeper covers permanent failures. */
const RETRY = [
  {
    ErrorEquals: [
      "Lambda.ServiceException",
      "Lambda.AWSLambdaException",
      "Lambda.SdkClientException",
      "Lambda.TooManyRequestsException",
      "RetryLater",
    ],
    IntervalSeconds: 2,
    BackoffRate: 2,
    MaxAttempts: 6,
    JitterStrategy: "FULL",
  },
];

const INVOKE = `arn:${Aws.PARTITION}:states:::lambda:invoke`;

const definition = ({ settings, awaitEnd, deadline }: SupervisorProps) => ({
  Comment: "Waits for the end of a stack operation, or for its deadline",
  StartAt: "AwaitEnd",
  States: {
    AwaitEnd: {
      Type: "Task",
      Resource: `${INVOKE}.waitForTaskToken`,
      Parameters: {
        FunctionName: awaitEnd.live.functionArn,
        Payload: {
          "token.$": "$$.Task.Token",
          "tenant.$": "$.tenant",
          "stackId.$": "$.stackId",
          "traversalId.$": "$.traversalId",
        },
      },
      ...(settings.emulator
        ? { TimeoutSeconds: EMULATOR_LOOK_SECONDS }
        : { TimeoutSecondsPath: "$.timeoutSeconds" }),
      Retry: RETRY,
      // The error is added to the input. A null here would drop it, but CloudFormation accepts
      // none.
      Catch: [{ ErrorEquals: ["States.Timeout"], ResultPath: "$.error", Next: "Deadline" }],
      End: true,
    },
    Deadline: {
      Type: "Task",
      Resource: INVOKE,
      Parameters: {
        FunctionName: deadline.live.functionArn,
        Payload: {
          "tenant.$": "$.tenant",
          "stackId.$": "$.stackId",
          "traversalId.$": "$.traversalId",
        },
      },
      OutputPath: "$.Payload",
      Retry: RETRY,
      Next: "Ended",
    },
    Ended: {
      Type: "Choice",
      Choices: [{ Variable: "$.ended", BooleanEquals: true, Next: "TimedOut" }],
      Default: "AwaitEnd",
    },
    TimedOut: { Type: "Succeed" },
  },
});

const SAMPLING_ACTIONS = ["xray:GetSamplingRules", "xray:GetSamplingTargets"] as const;

const allowTraces = (role: Role): void => {
  const actions = [...TRACE_ACTIONS, ...SAMPLING_ACTIONS];
  role.addToPolicy(new PolicyStatement({ actions, resources: ["*"] }));
};

export class Supervisor extends Construct {
  readonly stateMachineArn: string;
  readonly logs: LogGroup;

  constructor(scope: Construct, id: string, props: SupervisorProps) {
    super(scope, id);
    const { settings, awaitEnd, deadline } = props;
    this.logs = new LogGroup(this, "Logs", {
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    const role = this.#role(awaitEnd, deadline);
    if (settings.tracing) allowTraces(role);
    const machine = new CfnStateMachine(this, "StateMachine", {
      roleArn: role.roleArn,
      stateMachineType: "STANDARD",
      definition: definition(props),
      ...(settings.tracing ? { tracingConfiguration: { enabled: true } } : {}),
      loggingConfiguration: {
        level: "ALL",
        includeExecutionData: false,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: this.logs.logGroupArn } }],
      },
    });
    machine.node.addDependency(role, this.#logDelivery(role));
    Validations.of(machine).acknowledge({
      id: "AwsSolutions-SF2",
      reason: "It waits for days and calls two functions; its log holds all that a trace would.",
    });
    this.stateMachineArn = machine.attrArn;
  }

  failures(): Metric {
    const dimensionsMap = { StateMachineArn: this.stateMachineArn };
    return new Metric({
      namespace: "AWS/States",
      metricName: "ExecutionsFailed",
      dimensionsMap,
      ...SUM,
    });
  }

  #role(awaitEnd: HearthFunction, deadline: HearthFunction): Role {
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
      description: "Hearth: calls the supervisor's two functions",
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: ["lambda:InvokeFunction"],
        resources: [awaitEnd.live.functionArn, deadline.live.functionArn],
      }),
    );
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "The delivery of traces accepts no narrower resource.",
    });
    return role;
  }

  /**
   * A separate policy that depends on no function. So it exists minutes before the state machine. A
   * policy that is created just before the machine may not have reached Step Functions, which then
   * refuses the machine.
   */
  #logDelivery(role: Role): Policy {
    const actions = [
      "logs:CreateLogDelivery",
      "logs:GetLogDelivery",
      "logs:UpdateLogDelivery",
      "logs:DeleteLogDelivery",
      "logs:ListLogDeliveries",
      "logs:PutResourcePolicy",
      "logs:DescribeResourcePolicies",
      "logs:DescribeLogGroups",
    ];
    const policy = new Policy(this, "LogDelivery", {
      roles: [role],
      statements: [new PolicyStatement({ actions, resources: ["*"] })],
    });
    Validations.of(policy).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "The delivery of logs accepts no narrower resource.",
    });
    return policy;
  }
}
