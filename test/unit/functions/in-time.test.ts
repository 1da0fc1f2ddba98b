import type { APIGatewayProxyResult } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { handler as signalHandler } from "#functions/signal/handler.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openWorld, SETTINGS } from "../api/api-world.ts";

/** The time is over as soon as the request waits for anything. */
const CONTEXT = lambdaContext("tested", 0);

const ID = "11111111-2222-4333-8444-555555555555";

const never = () => new Promise<never>(() => undefined);

const slowPorts = (): Ports => {
  const { ports } = openWorld();
  const store = { ...ports.store, getStack: never, getStackName: never, getResource: never };
  const softwareConfigs = {
    ...ports.softwareConfigs,
    getServer: never,
    getSignalTarget: never,
    getDeployment: never,
  };
  return { ...ports, store, softwareConfigs };
};

const requestOf = (method: string, path: string, pathParameters = {}) => {
  const search = new URLSearchParams("kid=a&exp=0&gen=0&sig=a");
  return proxyEvent({ method, path, search, headers: {}, body: null, pathParameters });
};

const expectToComeAgain = ({ statusCode, headers, body }: APIGatewayProxyResult): void => {
  expect(statusCode).toBe(503);
  expect(headers?.["Retry-After"]).toBe("5");
  expect(JSON.parse(body)).toMatchObject({ error: { type: "HTTPServiceUnavailable" } });
};

describe("a request whose time is over gets 503, and is told to come again", () => {
  it("at the API, with its id", async () => {
    const answer = await apiHandler(slowPorts(), SETTINGS)(
      requestOf("GET", "/v1/demo/stacks/app/1"),
      CONTEXT,
    );
    expectToComeAgain(answer);
    expect(answer.headers?.["x-openstack-request-id"]).toMatch(/^req-/);
  });

  it("as a signal", async () => {
    const request = requestOf("PUT", `/v1/agent/signal/${ID}`, { derived_id: ID });
    expectToComeAgain(await signalHandler(slowPorts())(request, CONTEXT));
  });

  it("as a poll", async () => {
    const request = requestOf("GET", `/v1/agent/metadata/${ID}`, { server_id: ID });
    expectToComeAgain(await metadataHandler(slowPorts())(request, CONTEXT));
  });
});
