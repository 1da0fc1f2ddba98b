import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Client, openClient } from "#client/client.ts";
import { StackAnswer, StacksAnswer } from "#client/wire.ts";
import { type Host, startHost } from "#host/host.ts";
import { bindHostPorts } from "#host/host-ports.ts";
import { readSite, SOFTWARE_TEMPLATE } from "../security/software-site.ts";
import { faultsOf, flood, untilNextWindow } from "./flood.ts";

const TEST_MS_MAX = 120_000;
const RATE = 3;
const ALLOWED = 30;
const POLLS = 100;

let host: Host;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null, tenantRate: RATE });
});
afterEach(() => host.stop());

const get = (path: string) => (): Promise<Response> => fetch(`${host.url}${path}`);

const countOf = async (requests: number, send: () => Promise<Response>) => {
  const answers = await Promise.all(Array.from({ length: requests }, send));
  await Promise.all(answers.map((answer) => answer.text()));
  return answers.map(({ status }) => status).filter((status) => status !== 200);
};

const Agent = z.object({ request: z.object({ metadata_url: z.url() }) });

const metadataUrlOf = async (client: Client): Promise<string> => {
  for (;;) {
    const { stack } = await client.request("GET", "/stacks/web", StackAnswer);
    const agent = Agent.safeParse(stack.outputs?.[0]?.output_value);
    if (agent.success) return agent.data.request.metadata_url;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

describe("a project that sends too many requests", { timeout: TEST_MS_MAX }, () => {
  it("gets its limit and then 429, and neither other projects nor its own agents do", async () => {
    const client = openClient({ endpoint: host.url, project: "demo" });
    const body = { stack_name: "web", template: SOFTWARE_TEMPLATE };
    await client.request("POST", "/stacks", z.unknown(), body);
    const metadataUrl = await metadataUrlOf(client);
    await untilNextWindow();

    const answers = await flood(get("/v1/demo/stacks"), ALLOWED);
    expect(faultsOf(answers, ALLOWED)).toEqual([]);
    expect(answers.refusal).toMatchObject({ code: 429, error: { type: "OverLimit" } });

    expect(await countOf(ALLOWED, get("/v1/other/stacks"))).toEqual([]);
    expect(await countOf(POLLS, () => fetch(metadataUrl))).toEqual([]);
    const site = await readSite(metadataUrl);
    const signal = () => fetch(site?.signalUrl ?? "", { method: "PUT", body: "{}" });
    expect(await countOf(ALLOWED, signal)).toEqual([]);
    expect(await countOf(POLLS, get("/_dev/counters"))).toEqual([]);
  });

  it("is served again in the next window, and the client waits for that by itself", async () => {
    await flood(get("/v1/demo/stacks"), ALLOWED);
    const client = openClient({ endpoint: host.url, project: "demo" });
    expect(await client.request("GET", "/stacks", StacksAnswer)).toEqual({ stacks: [] });
  });
});

describe("a host that was given no rate", () => {
  it("has no limit", async () => {
    const { limit, close } = bindHostPorts(":memory:", "http://127.0.0.1");
    const answers = new Set<unknown>();
    for (let sent = 0; sent < 100_000; sent += 1) answers.add(await limit("demo"));
    expect([...answers]).toEqual([null]);
    close();
  });
});

describe("step mode", () => {
  it("has no limit, because its clock stands still", async () => {
    const stepping = await startHost({ port: 0, data: null, tenantRate: 1, step: true });
    const list = () => fetch(`${stepping.url}/v1/demo/stacks`);
    expect(await countOf(POLLS, list)).toEqual([]);
    await stepping.stop();
  });
});
