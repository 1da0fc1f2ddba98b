import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const hosts: Host[] = [];
const start = async (): Promise<string> => {
  const host = await startHost({ port: 0, data: null });
  hosts.push(host);
  return host.url;
};

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

const template: JsonObject = {
  heat_template_version: "2021-04-16",
  parameters: {
    replicated: { type: "boolean", default: false },
    fail: { type: "boolean", default: false },
  },
  conditions: {
    wanted: { get_param: "replicated" },
    here: { equals: [{ get_param: "OS::stack_name" }, "top"] },
  },
  resources: {
    primary: { type: "OS::Heat::TestResource", properties: { value: "one" } },
    replica: {
      type: "OS::Heat::TestResource",
      condition: { and: ["wanted", "here"] },
      depends_on: "primary",
      properties: { value: "two", fail: { get_param: "fail" } },
    },
    user: {
      type: "OS::Heat::TestResource",
      depends_on: "replica",
      properties: {
        value: { if: ["wanted", { get_attr: ["replica", "output"] }, "none"] },
      },
    },
  },
  outputs: {
    second: { value: { get_attr: ["replica", "output"] }, condition: "wanted" },
    seen: { value: { get_attr: ["user", "output"] } },
  },
};

const create = async (url: string, parameters: JsonObject = {}) => {
  await send(url, "POST", "/v1/demo/stacks", { stack_name: "top", template, parameters });
  return waitForStack(url, "top");
};
const update = async (url: string, parameters: JsonObject) => {
  const marker = await newestEvent(url, "top");
  await send(url, "PUT", "/v1/demo/stacks/top", {
    template,
    parameters,
    disable_rollback: false,
  });
  return waitForStack(url, "top", marker);
};
const list = (document: Json | undefined): readonly Json[] =>
  Array.isArray(document) ? document : [];
const resources = async (url: string) =>
  list(at((await send(url, "GET", "/v1/demo/stacks/top/resources")).body, "resources"))
    .map((one) => at(one, "resource_name"))
    .sort();
const outputs = async (url: string) => {
  const { body } = await send(url, "GET", "/v1/demo/stacks/top");
  const shown = list(at(body, "stack", "outputs"));
  return Object.fromEntries(
    shown.map((one) => [String(at(one, "output_key")), at(one, "output_value")]),
  );
};

describe("a stack with conditions", () => {
  it("makes only what its parameters ask for, and lists every output", async () => {
    const url = await start();
    expect(await create(url)).toBe("CREATE_COMPLETE");
    expect(await resources(url)).toEqual(["primary", "user"]);
    expect(await outputs(url)).toEqual({ second: null, seen: "none" });
  });

  it("makes and deletes a resource when an update changes its condition", async () => {
    const url = await start();
    await create(url);
    expect(await update(url, { replicated: true })).toBe("UPDATE_COMPLETE");
    expect(await resources(url)).toEqual(["primary", "replica", "user"]);
    expect(await outputs(url)).toEqual({ second: "two", seen: "two" });
    expect(await update(url, { replicated: false })).toBe("UPDATE_COMPLETE");
    expect(await resources(url)).toEqual(["primary", "user"]);
    expect(await outputs(url)).toEqual({ second: null, seen: "none" });
  });

  it("rolls back to the conditions of the target before", async () => {
    const url = await start();
    await create(url);
    expect(await update(url, { replicated: true, fail: true })).toBe("ROLLBACK_COMPLETE");
    expect(await resources(url)).toEqual(["primary", "user"]);
    expect(await outputs(url)).toEqual({ second: null, seen: "none" });
  });

  it("is refused before anything is made if a condition is wrong", async () => {
    const url = await start();
    const wrong = { ...template, conditions: { wanted: { not: "nobody" }, here: true } };
    const { status, body } = await send(url, "POST", "/v1/demo/stacks", {
      stack_name: "top",
      template: wrong,
    });
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      'resources.replica.condition: Invalid condition "nobody"',
    );
    expect((await send(url, "GET", "/_dev/resources")).body).toEqual({ resources: [] });
  });
});

describe("a nested stack", () => {
  it("reads its facade, and its own name in a condition", async () => {
    const url = await start();
    const child = {
      heat_template_version: "2021-04-16",
      resources: {
        inner: {
          type: "OS::Heat::TestResource",
          condition: { not: { equals: [{ get_param: "OS::stack_name" }, "top"] } },
          properties: { value: { list_join: ["-", [{ resource_facade: "deletion_policy" }]] } },
        },
      },
      outputs: { said: { value: { get_attr: ["inner", "output"] } } },
    };
    const above = {
      heat_template_version: "2021-04-16",
      resources: { below: { type: "child.yaml", deletion_policy: "delete", metadata: { a: 1 } } },
      outputs: { said: { value: { get_attr: ["below", "said"] } } },
    };
    const files = { "child.yaml": JSON.stringify(child) };
    await send(url, "POST", "/v1/demo/stacks", { stack_name: "top", template: above, files });
    expect(await waitForStack(url, "top")).toBe("CREATE_COMPLETE");
    expect(await outputs(url)).toEqual({ said: "Delete" });
  });
});
