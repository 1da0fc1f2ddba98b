import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: {
    handle: { type: "OS::Heat::WaitConditionHandle" },
    condition: {
      type: "OS::Heat::WaitCondition",
      properties: { handle: { get_resource: "handle" }, timeout: 600, count: 2 },
    },
    after: {
      type: "OS::Heat::Value",
      properties: { value: { get_attr: ["condition", "data"] } },
    },
  },
  outputs: { data: { value: { get_attr: ["after", "value"] } } },
};

const settleNow = async (world: World): Promise<void> => {
  for (;;) {
    const isDue = world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now());
    if (!isDue || !(await world.step())) return;
  }
};

const statusOf = async (world: World, path: string): Promise<Json | undefined> =>
  at((await world.send("GET", path)).body, "stack", "stack_status");

describe("a wait condition in a stack", () => {
  it("completes after signals to its handle, by the API and by the signed URL", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: TEMPLATE });
    await settleNow(world);
    expect(await statusOf(world, path)).toBe("CREATE_IN_PROGRESS");

    const signal = { data: "one", id: "a" };
    const answer = await world.send("POST", `${path}/resources/handle/signal`, signal);
    expect([answer.status, answer.body]).toEqual([200, null]);
    await settleNow(world);
    expect(await statusOf(world, path)).toBe("CREATE_IN_PROGRESS");

    const { body } = await world.send("GET", `${path}/resources/handle`);
    const url = new URL(textAt(body, "resource", "attributes", "endpoint"));
    const query = Object.fromEntries(url.searchParams);
    const id = url.pathname.split("/").at(-1) ?? "";
    await receiveSignal(world.ports, id, { method: "POST", query, body: '{"data": "two"}' });
    await settleNow(world);
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
    const shown = (await world.send("GET", path)).body;
    expect(at(shown, "stack", "outputs", 0, "output_value")).toBe('{"a": "one", "2": "two"}');

    const events = (await world.send("GET", `${path}/resources/handle/events`)).body;
    const reasons = listAt(events, "events").map((event) => at(event, "resource_status_reason"));
    expect(reasons).toContain("Signal: status:SUCCESS reason:Signal 2 received");
  });

  it("fails the stack with Heat's reason when one of its signals is a failure", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: TEMPLATE });
    await settleNow(world);
    const signal = { status: "FAILURE", reason: "no disk" };
    await world.send("POST", `${path}/resources/handle/signal`, signal);
    await settleNow(world);
    expect(await statusOf(world, path)).toBe("CREATE_FAILED");
    expect(at((await world.send("GET", path)).body, "stack", "stack_status_reason")).toContain(
      "WaitConditionFailure: resources.condition: no disk",
    );
  });

  it("fails the stack at its timeout", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: TEMPLATE });
    await world.settle();
    expect(at((await world.send("GET", path)).body, "stack", "stack_status_reason")).toContain(
      "WaitConditionTimeout: resources.condition: 0 of 2 received",
    );
  });
});

describe("a handle for updates", () => {
  const template = (word: string) => ({
    heat_template_version: "2016-10-14",
    resources: {
      handle: { type: "OS::Heat::UpdateWaitConditionHandle" },
      other: { type: "OS::Heat::Value", properties: { value: word } },
    },
    outputs: { url: { value: { get_resource: "handle" } } },
  });

  it("is a new one after each update, and only one", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: template("a") });
    await world.settle();
    const seen: (Json | undefined)[] = [];
    for (const word of ["a", "b", "c"]) {
      seen.push(at((await world.send("GET", path)).body, "stack", "outputs", 0, "output_value"));
      await world.send("PUT", path, { template: template(word) });
      await world.settle();
      expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    }
    expect(new Set(seen).size).toBe(3);
    const { id } = (await world.store.listStacks("demo"))[0] ?? { id: "" };
    const rows = (await world.store.listResources(id)).filter(({ name }) => name === "handle");
    expect(rows.filter(({ action }) => action !== "DELETE")).toHaveLength(1);
  });
});

describe("a signal to a resource", () => {
  it("is refused by a type without signals, and without an object", async () => {
    const world = openWorld();
    const template = {
      heat_template_version: "2016-10-14",
      resources: { one: { type: "OS::Heat::Value", properties: { value: 1 } } },
    };
    const path = await createStack(world, "app", { template });
    await world.settle();
    const refused = await world.send("POST", `${path}/resources/one/signal`);
    expect([refused.status, at(refused.body, "error", "message")]).toEqual([
      400,
      "signal is not supported for resource.",
    ]);
    expect((await world.send("POST", `${path}/resources/two/signal`, {})).status).toBe(404);
    expect((await world.send("POST", `${path}/resources/one/signal`, "{")).status).toBe(400);
  });

  it("ends the action of a deployment like its agent's signal", async () => {
    const world = openWorld();
    const template = {
      heat_template_version: "2016-10-14",
      resources: {
        server: { type: "OS::Heat::DeployedServer" },
        dep: {
          type: "OS::Heat::SoftwareDeployment",
          properties: { server: { get_resource: "server" } },
        },
      },
      outputs: { out: { value: { get_attr: ["dep", "deploy_stdout"] } } },
    };
    const path = await createStack(world, "app", { template });
    await settleNow(world);
    await world.send("POST", `${path}/resources/dep/signal`, { deploy_stdout: "by hand" });
    await settleNow(world);
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
    const shown = (await world.send("GET", path)).body;
    expect(at(shown, "stack", "outputs", 0, "output_value")).toBe("by hand");
    const late = await world.send("POST", `${path}/resources/dep/signal`, {
      deploy_status_code: 1,
    });
    expect(late.status).toBe(200);
  });
});
