import type { APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { tokenHash } from "#functions/authorizer/credential.ts";
import { handler } from "#functions/authorizer/handler.ts";
import { cachedTokens } from "#functions/aws/api-tokens.ts";
import { proxyEvent } from "#host/lambda-events.ts";
import type { TokenRecord } from "#lib/ports/ports.ts";

const TOKEN = "t-1";
const ARN = "arn:aws:execute-api:r:a:api/stage/GET/v1/demo/stacks";

const tokens = new Map<string, TokenRecord>([
  [tokenHash(TOKEN), { tenant: "demo", expiresAt: null, rights: {} }],
  [tokenHash("old"), { tenant: "demo", expiresAt: 1_000, rights: {} }],
]);
const authorize = handler({ get: async (hash) => tokens.get(hash) ?? null }, { now: () => 1_000 });

const request = (
  path: string,
  headers: Record<string, string>,
): APIGatewayRequestAuthorizerEvent => {
  const proxied = proxyEvent({
    method: "GET",
    path,
    search: new URLSearchParams(),
    headers,
    body: null,
    pathParameters: {},
  });
  const { requestContext, ...event } = proxied;
  return {
    ...event,
    type: "REQUEST",
    methodArn: ARN,
    requestContext: { ...requestContext, authorizer: undefined },
  };
};

const effectOf = async (path: string, headers: Record<string, string>): Promise<unknown> => {
  const { policyDocument, context } = await authorize(request(path, headers));
  return [policyDocument.Statement[0]?.Effect, context?.["tenant"]];
};

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

describe("the authorizer", () => {
  it("lets a token into its own project", async () => {
    expect(await effectOf("/v1/demo/stacks", { "X-Auth-Token": TOKEN })).toEqual(["Allow", "demo"]);
    expect(await effectOf("/v1/d%65mo/stacks", { "x-auth-token": TOKEN })).toEqual([
      "Allow",
      "demo",
    ]);
  });

  it("takes HTTP basic with the project and its token", async () => {
    expect(await effectOf("/v1/demo/stacks", basic("demo", TOKEN))).toEqual(["Allow", "demo"]);
    await expect(effectOf("/v1/demo/stacks", basic("other", TOKEN))).rejects.toThrow(
      "Unauthorized",
    );
  });

  it("denies another project's path in any spelling", async () => {
    for (const path of [
      "/v1/other/stacks",
      "/v1/demo%2F/stacks",
      "/v1",
      "/",
      "/v2/demo",
      "/v1/%",
    ]) {
      expect(await effectOf(path, { "X-Auth-Token": TOKEN }), path).toEqual(["Deny", "demo"]);
    }
  });

  it("refuses an absent, a wrong and an expired credential", async () => {
    const wrong = [
      {},
      { "X-Auth-Token": "x" },
      { "X-Auth-Token": "old" },
      { Authorization: "Basic" },
    ];
    for (const headers of [...wrong, basic("", TOKEN), { Authorization: `Bearer ${TOKEN}` }]) {
      const asked = authorize(request("/v1/demo/stacks", { ...headers }));
      await expect(asked).rejects.toThrow(/^Unauthorized$/);
    }
  });
});

describe("a worker's cache of tokens", () => {
  it("spares the table for a minute, and never caches a miss", async () => {
    let now = 0;
    let reads = 0;
    const stored = new Map<string, TokenRecord>();
    const store = cachedTokens(
      {
        get: async (hash) => {
          reads += 1;
          return stored.get(hash) ?? null;
        },
      },
      { now: () => now },
    );
    expect(await store.get("h")).toBeNull();
    stored.set("h", { tenant: "demo", expiresAt: null, rights: {} });
    expect((await store.get("h"))?.tenant).toBe("demo");
    stored.delete("h");
    expect((await store.get("h"))?.tenant).toBe("demo");
    expect(reads).toBe(2);
    now = 60_000;
    expect(await store.get("h")).toBeNull();
  });
});
