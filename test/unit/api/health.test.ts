import type { APIGatewayProxyResult } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { handler as sweepHandler } from "#functions/sweep/handler.ts";
import { lambdaContext, proxyEvent, scheduledEvent } from "#host/lambda-events.ts";
import { HealthAnswer, type HealthDocument } from "#lib/api/health.ts";
import { PROBE_SECONDS_MAX } from "#lib/engine/health-probe.ts";
import { createStack, openWorld, PUBLIC_URL, type World } from "./api-world.ts";

let world: World;
beforeEach(() => {
  world = openWorld();
});

const context = lambdaContext("test", 60_000);

const health = async (): Promise<HealthDocument> => {
  const { status, body, headers } = await world.send("GET", "/_health");
  expect([status, headers["Cache-Control"]]).toEqual([200, "no-store"]);
  return HealthAnswer.parse(body).health;
};

const fetchUrl = (url: string): Promise<APIGatewayProxyResult> => {
  const { pathname: path, searchParams: search } = new URL(url);
  const pathParameters = { server_id: path.split("/").at(-1) ?? "" };
  const request = { method: "GET", path, search, headers: {}, body: null, pathParameters };
  return metadataHandler(world.ports)(proxyEvent(request), context);
};

const changed = (url: string, name: string, value: string): string => {
  const copy = new URL(url);
  copy.searchParams.set(name, value);
  return copy.href;
};

describe("the health route", () => {
  it("shows the time, the queues, and that the sweeper has never run", async () => {
    const { probe_url, ...others } = await health();
    const empty = {
      holds: "work",
      waiting: 0,
      delayed: 0,
      in_flight: 0,
      oldest_waiting_ms: null,
    };
    expect(others).toEqual({
      now_ms: world.clock.now(),
      last_sweep_at_ms: null,
      problems: [],
      warnings: [],
      queues: ["prepare", "check", "poll"].map((name) => ({ name, ...empty })),
    });
    expect(probe_url).toMatch(`${PUBLIC_URL}/v1/agent/metadata/probe?`);
  });

  it("shows how long a message has waited", async () => {
    await createStack(world, "app", { template: { heat_template_version: "2016-10-14" } });
    world.clock.advance(5_000);
    const prepare = (await health()).queues.find(({ name }) => name === "prepare");
    expect(prepare).toMatchObject({ waiting: 1, oldest_waiting_ms: 5_000 });
  });

  it("shows when the sweeper last finished, and ignores a failed run", async () => {
    const sweep = sweepHandler(world.ports);
    await sweep(scheduledEvent(0), context);
    const ranAt = world.clock.now();
    world.clock.advance(60_000);
    const broken = {
      ...world.ports.store,
      listUnsettledStacks: () => Promise.reject(new Error("no table")),
    };
    const failing = sweepHandler({ ...world.ports, store: broken });
    await expect(failing(scheduledEvent(0), context)).rejects.toThrow("no table");
    expect((await health()).last_sweep_at_ms).toBe(ranAt);
  });

  it("is for reading only", async () => {
    const { status, headers } = await world.send("POST", "/_health");
    expect([status, headers["Allow"]]).toEqual([405, "GET"]);
  });
});

describe("a probe", () => {
  it("is accepted on the agents' route, and echoes the unsigned part of the query", async () => {
    const { probe_url } = await health();
    const { statusCode, body } = await fetchUrl(changed(probe_url, "applied", "a+b c"));
    expect([statusCode, JSON.parse(body)]).toEqual([200, { probe: { applied: "a+b c" } }]);
  });

  it("is refused if it was changed, has expired or never expires", async () => {
    const { probe_url } = await health();
    for (const [name, value] of [
      ["sig", "AAAA"],
      ["kid", "other"],
      ["exp", "0"],
      ["gen", "1"],
    ] as const) {
      expect((await fetchUrl(changed(probe_url, name, value))).statusCode, name).toBe(403);
    }
    const { sig } = world.ports.signer.sign({
      tenant: "",
      kind: "probe",
      id: "probe",
      exp: 0,
      gen: 0,
    });
    const endless = changed(changed(probe_url, "exp", "0"), "sig", sig);
    expect((await fetchUrl(endless)).statusCode).toBe(403);
    world.clock.advance(PROBE_SECONDS_MAX * 1_000 + 1_000);
    expect((await fetchUrl(probe_url)).statusCode).toBe(403);
  });

  it("grants access to no server, and no server's URL is a probe", async () => {
    const { probe_url } = await health();
    const tenant = "demo";
    const serverId = "5e44e900-0000-4000-8000-000000000000";
    const query = new URL(probe_url).search;
    const stolen = await fetchUrl(`${PUBLIC_URL}/v1/agent/metadata/${serverId}${query}`);
    expect(stolen.statusCode).toBe(404);
    const exp = Math.floor(world.clock.now() / 1_000) + 60;
    for (const kind of ["metadata", "signal"] as const) {
      const { kid, gen, sig } = world.ports.signer.sign({ tenant, kind, id: "probe", exp, gen: 0 });
      const url = `${PUBLIC_URL}/v1/agent/metadata/probe?kid=${kid}&exp=${exp}&gen=${gen}&sig=${sig}`;
      expect((await fetchUrl(url)).statusCode, kind).toBe(403);
    }
  });
});
