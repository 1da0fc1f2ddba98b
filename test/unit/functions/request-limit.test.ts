import { beforeEach, describe, expect, it } from "vitest";
import { loggedLimit } from "#functions/api/around-requests.ts";
import { handler } from "#functions/api/handler.ts";
import { anybody, type Identify, knownCaller } from "#functions/api/identity.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import { memoryThrottle } from "#lib/adapters/memory/throttle.ts";
import type { LimitRequests } from "#lib/api/request-limit.ts";
import { openWorld, SETTINGS, type World } from "../api/api-world.ts";
import { linesOf } from "./output.ts";

const CONTEXT = lambdaContext("api", 29_000);
const ROLE = "arn:aws:iam::111122223333:role/deployer";

let world: World;
let counted: string[];
beforeEach(() => {
  world = openWorld();
  counted = [];
});

const counting: LimitRequests = async (tenant) => {
  counted.push(tenant);
  return null;
};

interface Sender {
  readonly tenant?: string;
  readonly userArn?: string;
}

const request = (
  path: string,
  { tenant, userArn = "" }: Sender = {},
  body: string | null = null,
) => {
  const method = body === null ? "GET" : "POST";
  const bare = { method, headers: {}, body, pathParameters: {} };
  const event = proxyEvent({ ...bare, path, search: new URLSearchParams() });
  const { requestContext } = event;
  const identity = { ...requestContext.identity, userArn };
  const authorizer = tenant === undefined ? null : { tenant };
  return { ...event, requestContext: { ...requestContext, identity, authorizer } };
};

const send = (identify: Identify, path: string, sender?: Sender) => {
  const api = handler(world.ports, SETTINGS, identify, counting);
  return linesOf(async () => api(request(path, sender), CONTEXT));
};

describe("a request", () => {
  it("has an id, which its answer and the log tell, also if it is refused", async () => {
    for (const path of ["/v1/demo/stacks", "/v1/demo/none", "/v1/other/stacks"]) {
      const api = handler(world.ports, SETTINGS, knownCaller({}), counting);
      const event = request(path, { tenant: "demo" });
      const ids: unknown[] = [];
      const lines = await linesOf(async () => {
        const { headers } = await api(event, CONTEXT);
        ids.push(headers?.["x-openstack-request-id"]);
      });
      expect(ids).toEqual([`req-${event.requestContext.requestId}`]);
      expect(lines).toContainEqual(expect.objectContaining({ request: ids[0] }));
    }
  });

  it("counts for the tenant of its credential, and without one for nobody", async () => {
    const known = knownCaller({ [ROLE]: "ops" });
    await send(known, "/v1/demo/stacks", { tenant: "demo" });
    await send(known, "/v1/other/stacks", { tenant: "demo" });
    await send(known, "/iam/v1/ops/stacks", { userArn: ROLE });
    await send(known, "/iam/v1/ops/stacks", { userArn: `${ROLE}s` });
    await send(known, "/v1/demo/stacks");
    await send(known, "/");
    expect(counted).toEqual(["demo", "demo", "ops"]);
  });

  it("counts on the embedded host for the project of its path, if that is a project's name", async () => {
    const uncounted = ["/v1/-/stacks", `/v1/${"a".repeat(300)}/stacks`, "/", "/%/demo/stacks"];
    for (const path of ["/v1/d%65mo/stacks", "/%76%31/demo/stacks", "//v1/demo/", ...uncounted])
      await send(anybody, path);
    expect(counted).toEqual(["demo", "demo", "demo"]);
  });

  it("over the limit is refused before its body is read, and logged once", async () => {
    const { clock } = world.ports;
    const limit = loggedLimit(memoryThrottle(), clock, { rate: 1, own: {} });
    const api = handler(world.ports, SETTINGS, knownCaller({}), limit);
    const sender = { tenant: "demo" };
    const lines = await linesOf(async () => {
      for (let sent = 0; sent < 10; sent++) await api(request("/v1/demo/stacks", sender), CONTEXT);
      const huge = request("/v1/demo/stacks", sender, "x".repeat(5_000_000));
      for (let sent = 0; sent < 2; sent++) {
        const { statusCode, headers } = await api(huge, CONTEXT);
        expect(statusCode).toBe(429);
        expect(headers?.["Retry-After"]).toMatch(/^[0-9]+$/);
      }
    });
    const reached = { message: "a tenant has reached its limit", tenant: "demo", rate: 1 };
    expect(lines.filter((line) => JSON.stringify(line).includes("its limit"))).toEqual([
      expect.objectContaining(reached),
    ]);
    expect(lines.filter((line) => "status" in line && line.status === 429).length).toBe(2);
  });
});
