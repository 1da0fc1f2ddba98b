import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { loadPlugins } from "#host/plugins/load-plugin.ts";
import type { JsonObject } from "#lib/json.ts";
import { type ServedProvider, serveProvider } from "#provider/http/serve-provider.ts";
import type { Answer, Call, ObjectCall, Provider } from "#provider/provider.ts";
import { at, send, waitForStack } from "./host-client.ts";

const SECRET = "the secret of this test, which is long enough";

const engines = () => {
  const calls: string[] = [];
  const note = ({ action, resourceName, properties }: Call, member: string): void => {
    calls.push(`${member} ${action} ${resourceName} ${properties["image"] ?? ""}`.trim());
  };
  const stop =
    (member: string) =>
    async (call: ObjectCall): Promise<Answer> => {
      note(call, member);
      return { state: "waiting", physicalId: call.physicalId, pollAfterSeconds: 0.05 };
    };
  const plain = {
    description: "A thing.",
    properties: { image: { type: "string", updateAllowed: true } },
    attributes: { kept: { type: "string" } },
    tokens: "kept",
    create: async (call: Call): Promise<Answer> => {
      note(call, "create");
      return { state: "finished", physicalId: `object ${call.resourceName}` };
    },
    update: async (call: ObjectCall): Promise<Answer> => {
      note(call, "update");
      return { state: "finished" };
    },
    delete: async (): Promise<Answer> => ({ state: "finished" }),
  } as const;
  const stopping = {
    ...plain,
    suspend: stop("suspend"),
    resume: stop("resume"),
    snapshot: async (call: ObjectCall): Promise<Answer> => {
      note(call, "snapshot");
      return { state: "finished", attributes: { kept: "image-of-snapshot" } };
    },
    restore: { image: "kept" },
    poll: async (call: Call): Promise<Answer> => {
      note(call, "poll");
      return { state: "finished" };
    },
  } as const;
  const provider: Provider = {
    provider: 2,
    name: "engines",
    types: { "My::Engine": stopping, "My::Plain": plain },
  };
  return { calls, provider };
};

let host: Host | null = null;
let served: ServedProvider | null = null;
afterEach(async () => {
  await host?.stop();
  await served?.close();
});

const start = async (provider: Provider, isServed: boolean): Promise<string> => {
  if (!isServed) {
    host = await startHost({ port: 0, data: null, plugins: [{ source: "here", provider }] });
    return host.url;
  }
  served = await serveProvider(provider, { port: 0, secrets: [SECRET] });
  const secrets = new Map([[served.url, SECRET]]);
  const access = { secrets, allowsPlainHttp: false, waitSecondsMax: 0 };
  host = await startHost({ port: 0, data: null, plugins: await loadPlugins([served.url], access) });
  return host.url;
};

const bodyOf = (image: string): JsonObject => ({
  template: JSON.stringify({
    heat_template_version: "2021-04-16",
    resources: {
      engine: { type: "My::Engine", properties: { image } },
      plain: { type: "My::Plain", properties: { image } },
    },
  }),
});

const played = async (
  url: string,
  method: string,
  path: string,
  body: JsonObject,
): Promise<string> => {
  const events = await send(url, "GET", "/v1/demo/stacks/app/events?sort_dir=desc&limit=1");
  const last = at(events.body, "events", 0, "id");
  const answer = await send(url, method, `/v1/demo/stacks${path}`, body);
  expect(answer.status).toBeLessThan(300);
  return waitForStack(url, "app", typeof last === "string" ? last : undefined);
};

describe.each([
  ["a module", false],
  ["a server", true],
])("a plug-in that is %s", (_kind, isServed) => {
  it("is suspended and resumed, and a type that cannot counts as suspended", async () => {
    const { provider, calls } = engines();
    const url = await start(provider, isServed);
    expect(await played(url, "POST", "", { stack_name: "app", ...bodyOf("one") })).toBe(
      "CREATE_COMPLETE",
    );
    const stack = await send(url, "GET", "/v1/demo/stacks/app");
    const own = `/app/${String(at(stack.body, "stack", "id"))}`;
    calls.length = 0;
    expect(await played(url, "POST", `${own}/actions`, { suspend: null })).toBe("SUSPEND_COMPLETE");
    const { body } = await send(url, "GET", "/v1/demo/stacks/app/resources");
    const rows = [0, 1].map((row) => at(body, "resources", row, "resource_status"));
    expect(rows).toEqual(["SUSPEND_COMPLETE", "SUSPEND_COMPLETE"]);
    expect(await played(url, "POST", `${own}/actions`, { resume: null })).toBe("RESUME_COMPLETE");
    expect(calls).toEqual([
      "suspend SUSPEND engine one",
      "poll SUSPEND engine one",
      "resume RESUME engine one",
      "poll RESUME engine one",
    ]);
  });

  it("is restored with what its snapshot has kept", async () => {
    const { provider, calls } = engines();
    const url = await start(provider, isServed);
    await played(url, "POST", "", { stack_name: "app", ...bodyOf("one") });
    const stack = await send(url, "GET", "/v1/demo/stacks/app");
    const own = `/app/${String(at(stack.body, "stack", "id"))}`;
    expect(await played(url, "POST", `${own}/snapshots`, {})).toBe("SNAPSHOT_COMPLETE");
    const { body } = await send(url, "GET", `/v1/demo/stacks${own}/snapshots`);
    const id = String(at(body, "snapshots", 0, "id"));
    expect(await played(url, "PUT", own, bodyOf("two"))).toBe("UPDATE_COMPLETE");
    calls.length = 0;
    expect(await played(url, "POST", `${own}/snapshots/${id}/restore`, {})).toBe(
      "RESTORE_COMPLETE",
    );
    expect(calls.toSorted()).toEqual([
      "update UPDATE engine image-of-snapshot",
      "update UPDATE plain one",
    ]);
  });
});
