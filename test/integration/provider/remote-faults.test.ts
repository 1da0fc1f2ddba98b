/**
 * An embedded host, and a provider behind a proxy that loses, repeats, delays and spoils calls.
 * Afterwards the stack is as the template says, or its user is asked.
 */
import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { loadPlugins } from "#host/plugins/load-plugin.ts";
import type { RemoteAccess } from "#host/plugins/remote-plugin.ts";
import type { JsonObject } from "#lib/json.ts";
import { type ServedProvider, serveProvider } from "#provider/http/serve-provider.ts";
import type { TokenPolicy } from "#provider/provider.ts";
import { at, send, waitForStack } from "../host/host-client.ts";
import { COUNTED, type Counted, countingProvider } from "./counting-provider.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

const SECRET = "the secret of this test, which is long enough";
/** The delay is longer than the limit of a call. */
const SLOW_MS = 3_000;
const PASSWORD = "tell-nobody";

let host: Host | null = null;
let served: ServedProvider | null = null;
let proxy: FaultyProxy | null = null;
afterEach(async () => {
  await host?.stop();
  await proxy?.close();
  await served?.close();
});

const accessTo = (url: string): RemoteAccess => ({
  secrets: new Map([[url, SECRET]]),
  allowsPlainHttp: false,
  waitSecondsMax: 0,
});

interface Started extends Counted {
  readonly url: string;
  readonly proxy: FaultyProxy;
}

const start = async (tokens: TokenPolicy): Promise<Started> => {
  const counted = countingProvider(tokens);
  served = await serveProvider(counted.provider, { port: 0, secrets: [SECRET] });
  proxy = await startFaultyProxy(served.url);
  const plugins = await loadPlugins([proxy.url], accessTo(proxy.url));
  host = await startHost({ port: 0, data: null, plugins });
  return { ...counted, url: host.url, proxy };
};

const bodyOf = (properties: JsonObject): JsonObject => ({
  template: JSON.stringify({
    heat_template_version: "2021-04-16",
    resources: { counted: { type: COUNTED, properties } },
  }),
});

const create = async (url: string): Promise<string> => {
  const body = { stack_name: "app", ...bodyOf({ size: 1, password: PASSWORD }) };
  const answer = await send(url, "POST", "/v1/demo/stacks", body);
  expect(answer.status).toBe(201);
  return String(at(answer.body, "stack", "id"));
};

const reasonOf = async (url: string): Promise<string> => {
  const { body } = await send(url, "GET", "/v1/demo/stacks/app/resources");
  return String(at(body, "resources", 0, "resource_status_reason"));
};

/** The call is repeated, and finished work is not done twice. */
const HEALED: readonly Fault[] = [
  "cut before",
  "cut after",
  "half an answer",
  "twice",
  "slow",
  "status 500",
  "status 502, done",
  "throttled",
];

/** These answers break the protocol, so only the user can say what was done. */
const SPOILED: readonly [Fault, string][] = [
  ["html", "it is not JSON"],
  ["huge", "it is larger than 4194304 bytes"],
  ["redirect", "HTTP status 307"],
  ["wrong signature", "HTTP status 401, wrong_signature"],
  ["another time", "HTTP status 401, wrong_signature"],
];

describe.each<TokenPolicy>(["kept", "searchable"])("a provider whose tokens are %s", (tokens) => {
  it.each(HEALED)("makes one object, whatever happens: %s", async (fault) => {
    const { url, proxy: between, objects } = await start(tokens);
    between.faults.push(fault);
    const id = await create(url);
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(objects.size).toBe(1);

    between.faults.push(fault);
    const events = await send(url, "GET", "/v1/demo/stacks/app/events?sort_dir=asc");
    const list = at(events.body, "events");
    const marker = String(at(Array.isArray(list) ? list.at(-1) : null, "id"));
    await send(url, "PUT", `/v1/demo/stacks/app/${id}`, bodyOf({ size: 2, password: PASSWORD }));
    expect(await waitForStack(url, "app", marker)).toBe("UPDATE_COMPLETE");
    expect(objects.size).toBe(1);

    between.faults.push(fault);
    await send(url, "DELETE", `/v1/demo/stacks/app/${id}`);
    await expect.poll(() => objects.size, { timeout: 20_000 }).toBe(0);
  });

  it("makes one object if the creation goes on after its limit", async () => {
    const { url, objects, delaysMs } = await start(tokens);
    delaysMs.push(SLOW_MS);
    await create(url);
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(objects.size).toBe(1);
  });

  it.each(SPOILED)("asks its user after an answer that is none: %s", async (fault, text) => {
    const { url, proxy: between } = await start(tokens);
    between.faults.push(fault);
    await create(url);
    expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
    const reason = await reasonOf(url);
    expect(reason).toContain(
      `counted gave an invalid answer to create of ${COUNTED}: ${text}. The call may`,
    );
    expect(reason).not.toContain(SECRET);
    expect(between.requests.some((line) => line.includes("elsewhere"))).toBe(false);
  });
});

describe("a provider that ignores tokens", () => {
  it.each<Fault>(["cut before", "cut after", "slow"])(
    "is never asked twice, but its user is: %s",
    async (fault) => {
      const { url, proxy: between, objects, calls } = await start("ignored");
      between.faults.push(fault);
      await create(url);
      expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
      expect(await reasonOf(url)).toContain("hearth stack resource resolve");
      expect(objects.size).toBe(fault === "cut before" ? 0 : 1);
      expect(calls.length).toBe(objects.size);
    },
  );

  it("fails at once if it is not there, because nothing was sent", async () => {
    const { url } = await start("ignored");
    await proxy?.close();
    await create(url);
    expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
    expect(await reasonOf(url)).toMatch(/nothing was done: .*\(ECONNREFUSED\)$/);
  });
});

describe("a provider that is away for a while", () => {
  it("gets its calls when it is back", async () => {
    const { url, objects } = await start("kept");
    const port = Number(new URL(served?.url ?? "").port);
    await served?.close();
    await create(url);
    await expect.poll(() => proxy?.requests.length, { timeout: 20_000 }).toBeGreaterThan(1);
    const again = countingProvider("kept");
    served = await serveProvider(again.provider, { port, secrets: [SECRET] });
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect([objects.size, again.objects.size]).toEqual([0, 1]);
  });
});
