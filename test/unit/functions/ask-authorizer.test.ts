import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { tokenHash, tokenId } from "#functions/authorizer/credential.ts";
import { handler as authorizer } from "#functions/authorizer/handler.ts";
import { askAuthorizer } from "#functions/middleware/ask-authorizer.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import type { TokenRecord } from "#lib/ports/ports.ts";

const CONTEXT = lambdaContext("api", 29_000);
const NOW = 1_000;

const tokens = new Map<string, TokenRecord>([
  [tokenHash("t-1"), { tenant: "demo", expiresAt: null, rights: {} }],
  [tokenHash("old"), { tenant: "demo", expiresAt: NOW, rights: {} }],
]);

let reached: APIGatewayProxyEvent[];
beforeEach(() => {
  reached = [];
});

const api = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  reached.push(event);
  return { statusCode: 200, body: "" };
};

const openApi = (get: (hash: string) => Promise<TokenRecord | null>) =>
  middy(api).use(askAuthorizer(authorizer({ get }, { now: () => NOW })));

const asking = openApi(async (hash) => tokens.get(hash) ?? null);

const request = (path: string, headers: Record<string, string>): APIGatewayProxyEvent =>
  proxyEvent({
    method: "GET",
    path,
    search: new URLSearchParams(),
    headers,
    body: null,
    pathParameters: {},
  });

const send = async (path: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await asking(request(path, headers), CONTEXT);
  return { status: statusCode, fault: body === "" ? null : JSON.parse(body) };
};

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

describe("an API function that asks the authorizer itself", () => {
  it("serves a token its own project, as the gateway's authorizer would name it", async () => {
    expect((await send("/v1/demo/stacks", { "X-Auth-Token": "t-1" })).status).toBe(200);
    expect((await send("/v1/demo/stacks", basic("demo", "t-1"))).status).toBe(200);
    expect(reached.map(({ requestContext }) => requestContext.authorizer)).toEqual(
      Array.from({ length: 2 }, () => ({
        tenant: "demo",
        tokenId: tokenId(tokenHash("t-1")),
        principalId: "demo",
      })),
    );
  });

  it("refuses no token, an unknown one, an ended one and another user's with 401, in Heat's format", async () => {
    for (const headers of [
      {},
      { "X-Auth-Token": "wrong" },
      { "X-Auth-Token": "old" },
      basic("other", "t-1"),
    ]) {
      const { status, fault } = await send("/v1/demo/stacks", headers);
      expect(status).toBe(401);
      expect(fault).toMatchObject({ code: 401, error: { type: "HTTPUnauthorized" } });
    }
    expect(reached).toEqual([]);
  });

  it("refuses another project's path, a path without a project and the path of IAM with 403", async () => {
    for (const path of ["/v1/other/stacks", "/v1/", "//", "/iam/v1/demo/stacks", "/v2/demo"]) {
      const { status, fault } = await send(path, { "X-Auth-Token": "t-1" });
      expect(status, path).toBe(403);
      expect(fault).toMatchObject({ code: 403, error: { type: "Forbidden" } });
    }
    expect(reached).toEqual([]);
  });

  it("shows everybody the versions, and takes no project that the event brings", async () => {
    const event = request("/", {});
    const forged = { ...event.requestContext, authorizer: { tenant: "demo" } };
    expect((await asking({ ...event, requestContext: forged }, CONTEXT)).statusCode).toBe(200);
    expect((await send("/v1")).status).toBe(200);
    expect(reached.map(({ requestContext }) => requestContext.authorizer)).toEqual([
      undefined,
      undefined,
    ]);
    const guarded = { ...request("/v1/demo/stacks", {}), requestContext: forged };
    expect((await asking(guarded, CONTEXT)).statusCode).toBe(401);
  });

  it("lets nobody in while the tokens cannot be read", async () => {
    const broken = openApi(async () => {
      throw new Error("the table is gone");
    });
    const answer = await broken(request("/v1/demo/stacks", { "X-Auth-Token": "t-1" }), CONTEXT);
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("table");
    expect(reached).toEqual([]);
  });
});
