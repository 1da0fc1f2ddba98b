/**
 * The canary: CodeDeploy sends a tenth of a function's calls to the new version for five minutes,
 * then all of them. If an alarm goes off in that time, CloudFormation rolls back the whole stack.
 */
import { Validations } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { FunctionName } from "#functions/aws/environment.ts";
import type { HearthFunction } from "./hearth-function.ts";

interface Canary {
  readonly name: FunctionName;
  readonly alarms: readonly string[];
}

/**
 * The functions with enough calls that a tenth of them shows a fault, with the alarms that show it.
 * The other functions are updated at once. Alarms that stay on until a queue is emptied are not
 * listed, because they would block the deployment of the fix.
 */
export const CANARIES: readonly Canary[] = [
  { name: "api", alarms: ["ApiFailing", "ApiCallsFailing"] },
  { name: "authorizer", alarms: ["AuthorizerFailing"] },
  { name: "metadata", alarms: ["ApiFailing", "MetadataFailing"] },
  { name: "agent-polls", alarms: ["ApiFailing", "AgentPollsFailing"] },
  { name: "signal", alarms: ["ApiFailing", "SignalFailing"] },
  { name: "prepare-traversal", alarms: ["PrepareTraversalFailing"] },
  { name: "check-resource", alarms: ["CheckResourceFailing", "VisitsFailing"] },
  { name: "events", alarms: ["EventsFailing"] },
  { name: "supervise-stacks", alarms: ["SuperviseStacksFailing"] },
];

const ROLE_POLICY = "service-role/AWSCodeDeployRoleForLambdaLimited";

export class Rollout extends Construct {
  constructor(
    scope: Construct,
    id: string,
    functions: Readonly<Record<FunctionName, HearthFunction>>,
    alarms: ReadonlyMap<string, Alarm>,
  ) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application");
    const role = roleOf(this);
    for (const canary of CANARIES) {
      const { alias, node } = functions[canary.name];
      if (alias === null) throw new Error(`${canary.name} has no alias to move`);
      new LambdaDeploymentGroup(this, node.id, {
        application,
        alias,
        role,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: canary.alarms.map((name) => alarmNamed(alarms, name)),
      });
    }
  }
}

const alarmNamed = (alarms: ReadonlyMap<string, Alarm>, name: string): Alarm => {
  const alarm = alarms.get(name);
  if (alarm === undefined) throw new Error(`there is no alarm ${name}`);
  return alarm;
};

const roleOf = (scope: Construct): Role => {
  const role = new Role(scope, "Role", {
    assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
    description: "Hearth: moves the functions' aliases",
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(ROLE_POLICY)],
  });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${ROLE_POLICY}]`,
    reason: "Only CodeDeploy assumes it, and AWS keeps the list of what CodeDeploy needs.",
  });
  return role;
};
