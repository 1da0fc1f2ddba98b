/** The REST API: Heat's routes behind the authorizer, and the agents' routes behind signed URLs. */
import { Aws, Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  RequestAuthorizer,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { IAM_BASE } from "#functions/authorizer/principal.ts";
import { type FunctionName, METRICS_NAMESPACE } from "#functions/aws/environment.ts";
import { addGatewayResponses, methodSettings } from "./gateway.ts";
import type { HearthFunction } from "./hearth-function.ts";
import { SUM } from "./metrics.ts";
import type { Settings } from "./settings.ts";

/**
 * The log has no query strings, and the route instead of the path. A badly escaped signed URL has
 * its signature in the path. The functions log the ids.
 */
const ACCESS_LOG = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTimeEpoch(),
  ip: AccessLogField.contextIdentitySourceIp(),
  tenant: AccessLogField.contextAuthorizer("tenant"),
  principal: AccessLogField.contextIdentityUserArn(),
  method: AccessLogField.contextHttpMethod(),
  route: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  bytes: AccessLogField.contextResponseLength(),
  ms: AccessLogField.contextResponseLatency(),
  error: AccessLogField.contextErrorMessage(),
  errorType: AccessLogField.contextErrorResponseType(),
  functionStatus: AccessLogField.contextIntegrationStatus(),
  stage: AccessLogField.contextStage(),
};

/**
 * API Gateway's error types for an authorizer that gave no decision. A refused token has another.
 */
const UNDECIDED = ["AUTHORIZER_FAILURE", "AUTHORIZER_CONFIGURATION_ERROR"] as const;
const UNDECIDED_METRIC = "AuthorizerFailures";

export class Api extends Construct {
  readonly rest: RestApi;
  readonly #settings: Settings;
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.#settings = settings;
    const logs = new LogGroup(this, "AccessLogs", {
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    this.rest = new RestApi(this, "Rest", {
      restApiName: `hearth-${settings.stage}`,
      description: "Hearth: the orchestration API and its agents' routes",
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies pass as bytes both ways. Large answers are compressed, because Lambda's limit of 6
      // MB counts the bytes sent.
      binaryMediaTypes: ["*/*"],
      cloudWatchRole: true,
      // The account has one such role, from the stage that was deployed last. If it were deleted
      // with that stage, the logs of all other stages would stop.
      cloudWatchRoleRemovalPolicy: settings.emulator ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: settings.stage,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
        ...methodSettings(settings),
        ...(settings.tracing ? { tracingEnabled: true } : {}),
      },
    });
    if (!settings.emulator) this.#countUndecided(logs);
    // The construct's own output would show a second URL, which agents never get.
    this.rest.node.tryRemoveChild("Endpoint");
    addGatewayResponses(this.rest);
    this.publicUrl = publicUrlOf(this.rest, settings);
    this.#acknowledge();
  }

  /**
   * Counts requests that the authorizer did not decide. Lambda's own count of errors includes
   * refused tokens, because an authorizer must throw for a 401.
   */
  undecided(): Metric {
    return new Metric({
      namespace: METRICS_NAMESPACE,
      metricName: UNDECIDED_METRIC,
      dimensionsMap: { stage: this.#settings.stage },
      ...SUM,
    });
  }

  #countUndecided(logGroup: LogGroup): void {
    const words = UNDECIDED.map((word) => FilterPattern.stringValue("$.errorType", "=", word));
    new MetricFilter(this, "Undecided", {
      logGroup,
      filterPattern: FilterPattern.any(...words),
      metricNamespace: METRICS_NAMESPACE,
      metricName: UNDECIDED_METRIC,
      metricValue: "1",
      dimensions: { stage: "$.stage" },
    });
  }

  addRoutes(functions: Readonly<Record<FunctionName, HearthFunction>>): void {
    const api = new LambdaIntegration(functions.api.live);
    const { root } = this.rest;
    const v1 = root.addResource("v1");
    for (const place of [root, v1]) {
      const versions = place.addMethod("GET", api, { authorizationType: AuthorizationType.NONE });
      acknowledgeOpen(versions, "It lists the API's versions, and nothing of any project.");
    }
    this.#addHeat(v1.addResource("{proxy+}"), functions);
    if (Object.keys(this.#settings.iamTenants).length > 0) {
      const signed = root.addResource(IAM_BASE.slice(1)).addResource("v1");
      signed
        .addResource("{proxy+}")
        .addMethod("ANY", api, { authorizationType: AuthorizationType.IAM });
    }
    this.#addConsole(functions.console);
    const agent = v1.addResource("agent");
    addSigned(agent.addResource("metadata").addResource("{server_id}"), functions.metadata);
    addSigned(agent.addResource("signal").addResource("{derived_id}"), functions.signal);
  }

  #addConsole({ live }: HearthFunction): void {
    const files = this.rest.root.addResource("console").addResource("{proxy+}");
    const method = files.addMethod("GET", new LambdaIntegration(live), {
      authorizationType: AuthorizationType.NONE,
    });
    acknowledgeOpen(method, "It serves the console's program, and nothing of any project.");
  }

  #addHeat(
    heat: IResource,
    { api, authorizer }: Readonly<Record<"api" | "authorizer", HearthFunction>>,
  ): void {
    const integration = new LambdaIntegration(api.live);
    if (this.#settings.authorizer === "function") {
      const open = heat.addMethod("ANY", integration, {
        authorizationType: AuthorizationType.NONE,
      });
      const reason =
        "Only for an emulator without authorizers: the function asks the authorizer's handler first.";
      acknowledgeOpen(open, reason);
      return;
    }
    heat.addMethod("ANY", integration, {
      authorizer: new RequestAuthorizer(this, "Authorizer", {
        handler: authorizer.live,
        // API Gateway requires every identity source, but a token is in only one of two headers.
        // The function itself caches tokens.
        identitySources: [],
        resultsCacheTtl: Duration.seconds(0),
      }),
      authorizationType: AuthorizationType.CUSTOM,
    });
  }

  #acknowledge(): void {
    Validations.of(this.rest).acknowledge(
      {
        id: "AwsSolutions-APIG2",
        reason: "The functions check every byte and answer with Heat's own error documents.",
      },
      {
        id: "AwsSolutions-APIG3",
        reason: "A web ACL costs more than an idle Hearth; docs/operations.md says how to add one.",
      },
      {
        id: "AwsSolutions-APIG6",
        reason:
          "Execution logs may quote the query strings of signed URLs; the access log has every answer and its cause.",
      },
      {
        id: "AwsSolutions-COG4",
        reason:
          "Heat's clients send API tokens or HTTP basic: the authorizer function checks them.",
      },
      {
        id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
        reason: "The account-wide role of API Gateway's logs is AWS's own by design.",
      },
    );
  }
}

/**
 * Every method is routed: the function refuses the wrong ones, so that they are logged like other
 * misuse.
 */
const addSigned = (resource: IResource, { live }: HearthFunction): void => {
  const method = resource.addMethod("ANY", new LambdaIntegration(live), {
    authorizationType: AuthorizationType.NONE,
  });
  acknowledgeOpen(
    method,
    "The function checks the method, and the signature, the expiry and the generation of the URL.",
  );
};

const acknowledgeOpen = (method: Construct, reason: string): void =>
  Validations.of(method).acknowledge({ id: "AwsSolutions-APIG4", reason });

/**
 * Built from the API's id and not from its stage, because the stage is created after the functions
 * that need the URL.
 */
const publicUrlOf = (rest: RestApi, { stage, publicUrl }: Settings): string =>
  (publicUrl ?? `https://{api}.execute-api.{region}.${Aws.URL_SUFFIX}/{stage}`)
    .replaceAll("{api}", rest.restApiId)
    .replaceAll("{stage}", stage)
    .replaceAll("{region}", Aws.REGION);
