import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { FUNCTION_SIZES } from "../../infra/function-sizes.ts";
import { readSettings } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";
import { functionPolicy } from "./policies.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let template: Template;
beforeAll(() => {
  template = synthesize();
}, SYNTHESIS_MS_MAX);

const methodShape = z.object({
  Properties: z.object({ AuthorizationType: z.string(), HttpMethod: z.string() }),
});

const openMethods = (from: Template): readonly string[] =>
  Object.entries(from.findResources("AWS::ApiGateway::Method"))
    .filter(([, method]) => methodShape.parse(method).Properties.AuthorizationType === "NONE")
    .map(([id]) => id.replace(/^ApiRest|[0-9A-F]{8}$/g, ""))
    .toSorted();

const tokensOfApi = (from: Template): readonly unknown[] => [
  ...Object.keys(
    from.findResources("AWS::Lambda::Function", {
      Properties: {
        Description: FUNCTION_SIZES.api.description,
        Environment: { Variables: { API_TOKENS_TABLE: Match.anyValue() } },
      },
    }),
  ),
  ...(functionPolicy(from, "Api").match(/DataApiTokens/g) ?? []),
];

describe("the API", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("asks for a credential everywhere except at the versions, the console and the signed URLs", () => {
    expect(openMethods(template)).toEqual([
      "GET",
      "consoleproxyGET",
      "v1GET",
      "v1agentmetadataserveridANY",
      "v1agentsignalderivedidANY",
    ]);
    expect(Object.keys(template.findResources("AWS::ApiGateway::Authorizer")).length).toBe(1);
    expect(tokensOfApi(template)).toEqual([]);
  });

  it("leaves the credential to its function only on an emulator whose gateway calls no authorizer", () => {
    const asking = synthesize({ emulator: "yes", authorizer: "function" });
    expect(openMethods(asking)).toEqual([...openMethods(template), "v1proxyANY"]);
    expect(asking.findResources("AWS::ApiGateway::Authorizer")).toEqual({});
    expect(tokensOfApi(asking).length).toBe(2);
  });

  it("logs accesses without query strings, and no request bodies", () => {
    const [stage] = Object.values(template.findResources("AWS::ApiGateway::Stage"));
    const quiet = expect.objectContaining({ DataTraceEnabled: false, LoggingLevel: "OFF" });
    const stageShape = z.object({
      Properties: z.object({
        AccessLogSetting: z.object({ Format: z.string() }),
        MethodSettings: z.array(
          z.object({ DataTraceEnabled: z.boolean(), LoggingLevel: z.string() }),
        ),
      }),
    });
    const { AccessLogSetting, MethodSettings } = stageShape.parse(stage).Properties;
    expect(AccessLogSetting.Format).not.toMatch(
      /querystring|header|token|authorization|context\.path/i,
    );
    expect(MethodSettings).toEqual(MethodSettings.map(() => quiet));
  });

  it("limits agents apart from users, so neither fills the other's bucket", () => {
    const slow = synthesize({ apiRate: 70, tenantRate: 7 });
    const [stage] = Object.values(slow.findResources("AWS::ApiGateway::Stage"));
    const settingShape = z.object({
      HttpMethod: z.string(),
      ResourcePath: z.string(),
      ThrottlingRateLimit: z.number(),
      ThrottlingBurstLimit: z.number(),
    });
    const { MethodSettings } = z
      .object({ Properties: z.object({ MethodSettings: z.array(settingShape) }) })
      .parse(stage).Properties;
    const rows = MethodSettings.map((one) => [
      `${one.HttpMethod} ${one.ResourcePath.replaceAll("~1", "/")}`,
      one.ThrottlingRateLimit,
      one.ThrottlingBurstLimit,
    ]);
    expect(rows).toEqual([
      ["* /*", 70, 140],
      ["GET //v1/agent/metadata/{server_id}", 500, 1_000],
      ["HEAD //v1/agent/metadata/{server_id}", 500, 1_000],
      ["POST //v1/agent/signal/{derived_id}", 500, 1_000],
      ["PUT //v1/agent/signal/{derived_id}", 500, 1_000],
      ["GET /", 20, 40],
      ["GET //v1", 20, 40],
      ["GET //console/{proxy+}", 20, 40],
    ]);
    // A stranger's requests cost money, so each method that is open to all has its own rate limit.
    const limited = rows.map(([name]) => String(name).replace(/^\w+|[^\w]|_/g, ""));
    for (const open of openMethods(slow)) {
      expect(limited, open).toContain(open.replace(/(GET|ANY)$/, ""));
    }
    slow.hasResourceProperties("AWS::ApiGateway::GatewayResponse", {
      ResponseType: "THROTTLED",
      StatusCode: "429",
      ResponseParameters: {
        "gatewayresponse.header.Retry-After": "'1'",
        "gatewayresponse.header.x-openstack-request-id": "context.requestId",
      },
    });
    slow.hasResourceProperties("AWS::Lambda::Function", {
      Description: FUNCTION_SIZES.api.description,
      Environment: { Variables: Match.objectLike({ TENANT_RATES: '{"rate":7,"own":{}}' }) },
    });
  });

  it("takes IAM's signatures only if the deployment names principals, and only at their path", () => {
    const signed = { Properties: { AuthorizationType: "AWS_IAM" } };
    expect(template.findResources("AWS::ApiGateway::Method", signed)).toEqual({});
    const given = { "arn:aws:iam::111122223333:role/ops/deployer": "demo" };
    for (const iamTenants of [given, JSON.stringify(given)]) {
      const withIam = synthesize({ iamTenants });
      const methods = Object.keys(withIam.findResources("AWS::ApiGateway::Method", signed));
      expect(methods.map((id) => id.replace(/^ApiRest|[0-9A-F]{8}$/g, ""))).toEqual([
        "iamv1proxyANY",
      ]);
      withIam.hasResourceProperties("AWS::Lambda::Function", {
        Environment: {
          Variables: Match.objectLike({
            IAM_TENANTS: '{"arn:aws:iam::111122223333:role/deployer":"demo"}',
          }),
        },
      });
      withIam.hasOutput("IamUrl", {});
    }
    for (const iamTenants of ["demo", "[]", { "arn:aws:iam::111122223333:root": "demo" }]) {
      const app = openApp({ iamTenants });
      expect(() => readSettings(app)).toThrow(/iamTenants|JSON/);
    }
  });

  it("answers its own refusals in Heat's format, with their own status", () => {
    const responseShape = z.object({
      Properties: z.object({
        StatusCode: z.string(),
        ResponseTemplates: z.object({ "application/json": z.string() }),
      }),
    });
    const responses = Object.values(template.findResources("AWS::ApiGateway::GatewayResponse"));
    expect(responses.length).toBeGreaterThan(5);
    for (const response of responses) {
      const { StatusCode, ResponseTemplates } = responseShape.parse(response).Properties;
      const document: unknown = JSON.parse(ResponseTemplates["application/json"]);
      expect(document).toMatchObject({ code: Number(StatusCode), error: { traceback: null } });
      const isOurFault = JSON.stringify(document).includes("Internal Server Error");
      expect(isOurFault, StatusCode).toBe(StatusCode === "500");
    }
  });
});
