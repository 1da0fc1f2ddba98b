import type { APIGatewayProxyResult } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { handler } from "#functions/api/handler.ts";
import { knownCaller } from "#functions/api/identity.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import { present } from "#lib/errors.ts";
import {
  bodiesWithoutRoute,
  faultOf,
  ownersReads,
  strangersQueries,
  strangersRequests,
} from "#test/integration/security/route-cases.ts";
import {
  makeTenantStack,
  type SendAs,
  type TenantStack,
} from "#test/integration/security/tenant-stacks.ts";
import { openWorld, SETTINGS, type World } from "#test/unit/api/api-world.ts";
import { linesOf } from "./output.ts";

let world: World;
let send: SendAs;
let alpha: TenantStack;
let beta: TenantStack;
const logged: object[] = [];

const behindGateway = ({ ports }: World): SendAs => {
  const api = handler(ports, SETTINGS, knownCaller({}));
  return async (tenant, method, url, body) => {
    const [path = "", query] = url.split("?");
    const event = proxyEvent({
      method,
      path,
      search: new URLSearchParams(query),
      headers: {},
      pathParameters: {},
      body: body === undefined ? null : JSON.stringify(body),
    });
    const requestContext = { ...event.requestContext, authorizer: { tenant } };
    const answers: APIGatewayProxyResult[] = [];
    const lines = await linesOf(async () => {
      answers.push(await api({ ...event, requestContext }, lambdaContext("api", 30_000)));
    });
    logged.push(...lines);
    const answer = present(answers[0], "an answer");
    return {
      status: answer.statusCode,
      headers: JSON.stringify(answer.headers),
      body: answer.body,
    };
  };
};

beforeEach(async () => {
  logged.length = 0;
  world = openWorld();
  send = behindGateway(world);
  alpha = await makeTenantStack(send, "alpha", "alpha", world.settle);
  beta = await makeTenantStack(send, "beta", "beta", world.settle);
});

describe("another tenant", () => {
  it("sends no body to a route that does not exist", () => {
    expect(bodiesWithoutRoute()).toEqual([]);
  });

  it("reaches nothing, by any path and with any ids", async () => {
    const before = JSON.stringify([world.store.dump(), world.queue.pending]);
    const requests = strangersRequests(beta.ids, alpha.ids);
    expect(requests.length).toBeGreaterThan(150);
    const faults: (string | null)[] = [];
    for (const request of requests) {
      const { status, headers, body } = await send(
        "beta",
        request.method,
        request.path,
        request.body,
      );
      faults.push(faultOf(request, { status, text: headers + body }, alpha.secrets));
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
    expect(JSON.stringify([world.store.dump(), world.queue.pending])).toBe(before);
    const log = JSON.stringify(logged);
    expect(log).toContain('"status":404');
    // The date is the version of alpha's templates. One route's path contains another version.
    for (const content of ["alpha-value", "alpha-description", "2016-10-14"]) {
      expect(log).not.toContain(content);
    }
  });

  it("finds nothing by any query", async () => {
    for (const request of strangersQueries(beta.ids, alpha.ids)) {
      const { status, headers, body } = await send("beta", request.method, request.path);
      const answer = { status, text: headers + body };
      expect(faultOf(request, answer, alpha.secrets)).toBeNull();
    }
  });

  it("is the only difference: the owner reads all of it by the same routes", async () => {
    for (const { method, path } of ownersReads(alpha.ids)) {
      const { status } = await send("alpha", method, path);
      expect([200, 300, 302], `${method} ${path}`).toContain(status);
    }
  });

  it("may use the same name for its own stack", async () => {
    const twin = await makeTenantStack(send, "gamma", "alpha", world.settle);
    expect(twin.ids.stack_id).not.toBe(alpha.ids.stack_id);
    const { body } = await send("gamma", "GET", "/v1/gamma/stacks");
    expect(body).toContain(twin.ids.stack_id);
    expect(body).not.toContain(alpha.ids.stack_id);
  });
});

describe("the API without an authorizer's answer", () => {
  const VERSION_STATUSES: Readonly<Record<string, number>> = { "/": 300, "/v1": 200 };

  it("shows nothing but the versions", async () => {
    const api = handler(world.ports, SETTINGS, knownCaller({}));
    for (const { method, path } of ownersReads(alpha.ids)) {
      const request = { method, path, search: new URLSearchParams(), headers: {}, body: null };
      const event = proxyEvent({ ...request, pathParameters: {} });
      const statuses: number[] = [];
      await linesOf(async () => {
        statuses.push((await api(event, lambdaContext("api", 30_000))).statusCode);
      });
      expect(statuses, path).toEqual([VERSION_STATUSES[path] ?? 403]);
    }
  });
});
