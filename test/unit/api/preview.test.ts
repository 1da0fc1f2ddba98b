import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const thing = (properties: JsonObject): JsonObject => ({
  type: "OS::Heat::TestResource",
  properties,
});
const template = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: { secret: { type: "string", hidden: true, default: "hush" } },
  resources,
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const changesOf = async (path: string, resources: JsonObject, method = "PUT") => {
  const { status, body } = await world.send(method, `${path}/preview`, {
    template: template(resources),
  });
  expect(status).toBe(200);
  const names = (change: string) =>
    listAt(body, "resource_changes", change).map((one) => textAt(one, "resource_name"));
  return {
    unchanged: names("unchanged"),
    updated: names("updated"),
    replaced: names("replaced"),
    added: names("added"),
    deleted: names("deleted"),
  };
};

describe("previewing an update", () => {
  it("follows a chain of thousands of resources", async () => {
    const path = await createStack(world, "app", { template: template({}) });
    await world.settle();
    const count = 9_000;
    const chain = Array.from({ length: count }, (_, at): [string, JsonObject] => [
      `r${at}`,
      { type: "OS::Heat::None", ...(at + 1 < count ? { depends_on: `r${at + 1}` } : {}) },
    ]);
    const { added } = await changesOf(path, Object.fromEntries(chain));
    expect(added).toHaveLength(count);
    expect([added[0], added.at(-1)]).toEqual([`r${count - 1}`, "r0"]);
  });

  it("shows what the update then does to every resource, and changes nothing", async () => {
    const before = {
      same: thing({ value: "1" }),
      other: thing({ value: "1" }),
      fresh: thing({ value: "1", update_replace_value: "1" }),
      follows: thing({ value: { get_resource: "fresh" } }),
      reads: thing({ value: { get_attr: ["other", "output"] } }),
      old: thing({ value: "1" }),
    };
    const { old: _, ...rest } = before;
    const after = {
      ...rest,
      other: thing({ value: "2" }),
      fresh: thing({ value: "1", update_replace_value: "2" }),
      brandNew: thing({ value: { get_resource: "same" } }),
    };
    const path = await createStack(world, "app", { template: template(before) });
    await world.settle();
    const stored = await world.store.listResources(path.split("/").at(-1) ?? "");
    expect(await changesOf(path, after)).toEqual({
      unchanged: ["same"],
      updated: ["other", "follows", "reads"],
      replaced: ["fresh"],
      added: ["brandNew"],
      deleted: ["old"],
    });
    expect(await world.store.listResources(path.split("/").at(-1) ?? "")).toEqual(stored);
    expect(world.queue.pending).toEqual([]);

    await world.send("PUT", path, { template: template(after) });
    await world.settle();
    expect(await changesOf(path, after, "PATCH")).toMatchObject({ updated: [], replaced: [] });
  });

  it("shows the identity of each resource", async () => {
    const path = await createStack(world, "app", { template: template({ a: thing({}) }) });
    await world.settle();
    const { body } = await world.send("PUT", `${path}/preview`, { template: template({}) });
    expect(at(body, "resource_changes", "deleted", 0)).toMatchObject({
      resource_type: "OS::Heat::TestResource",
      resource_identity: { stack_name: "app", tenant: "demo", path: "/resources/a" },
    });
  });

  it("shows on request what happens in the nested stacks", async () => {
    const leaf = (names: readonly string[]): string =>
      JSON.stringify({
        heat_template_version: "2016-10-14",
        resources: Object.fromEntries(names.map((name) => [name, thing({ value: name })])),
      });
    const middle = JSON.stringify({
      heat_template_version: "2016-10-14",
      resources: { low: { type: "leaf.yaml" } },
    });
    const filesWith = (...names: string[]) => ({ "middle.yaml": middle, "leaf.yaml": leaf(names) });
    const top = template({ mid: { type: "middle.yaml" } });
    const files = filesWith("a", "b");
    const path = await createStack(world, "app", { template: top, files });
    await world.settle();
    const shown = async (request: JsonObject, query = "?show_nested=True") => {
      const { status, body } = await world.send("PUT", `${path}/preview${query}`, request);
      expect(status).toBe(200);
      return Object.fromEntries(
        ["unchanged", "updated", "replaced", "added", "deleted"].map((change) => [
          change,
          listAt(body, "resource_changes", change).map(
            (one) => `${at(one, "parent_resource") ?? ""}/${textAt(one, "resource_name")}`,
          ),
        ]),
      );
    };
    const none = { unchanged: [], updated: [], replaced: [], added: [], deleted: [] };
    const same = { template: top, files };
    expect(await shown(same, "")).toEqual({ ...none, updated: ["/mid"] });
    const updated = ["/mid", "mid/low"];
    expect(await shown(same)).toEqual({ ...none, updated, unchanged: ["low/a", "low/b"] });
    expect(await shown({ template: top, files: filesWith("b", "c") })).toEqual({
      ...none,
      updated,
      unchanged: ["low/b"],
      added: ["low/c"],
      deleted: ["low/a"],
    });
    const gone = ["mid/low", "low/a", "low/b"];
    expect(await shown({ template: template({ mid: thing({}) }) })).toEqual({
      ...none,
      replaced: ["/mid"],
      deleted: gone,
    });
    const other = template({ mid2: { type: "middle.yaml" } });
    expect(await shown({ template: other, files })).toEqual({
      ...none,
      added: ["/mid2", "mid2/low", "low/a", "low/b"],
      deleted: ["/mid", ...gone],
    });
    const group = template({
      g: {
        type: "OS::Heat::ResourceGroup",
        properties: { count: 2, resource_def: { type: "leaf.yaml" } },
      },
    });
    const { added } = await shown({ template: group, files: filesWith("a") });
    expect(added).toEqual(["/g", "g/0", "g/1", "0/a", "1/a"]);
  });

  it("shows what changes, why, and no secret, and which resources are not looked at", async () => {
    const before = {
      a: thing({ value: "1", update_replace_value: "x" }),
      b: thing({ value: { get_resource: "a" } }),
      c: thing({ value: { get_param: "secret" } }),
      d: thing({ value: "1" }),
    };
    const path = await createStack(world, "app", { template: template(before) });
    await world.settle();
    const after = {
      ...before,
      a: thing({ value: "1", update_replace_value: "y" }),
      c: thing({ value: { list_join: ["", [{ get_param: "secret" }, "!"]] } }),
    };
    const { body } = await world.send("PUT", `${path}/preview`, { template: template(after) });
    const change = (kind: string, place: number) =>
      at(body, "resource_changes", kind, place, "change");
    expect(change("replaced", 0)).toMatchObject({
      properties: [{ name: "update_replace_value", before: "x", after: "y", unknown: false }],
      reason: "update_replace_value cannot change in place",
    });
    expect(change("updated", 0)).toMatchObject({
      properties: [{ name: "value", before: "******", after: null, unknown: true }],
    });
    expect(change("updated", 1)).toMatchObject({
      properties: [{ name: "value", before: "******", after: "******" }],
    });
    expect(change("unchanged", 0)).toMatchObject({ visit: "none", properties: [] });
    expect(JSON.stringify(body)).not.toContain("hush");
  });

  it("shows the new values where the old ones may be of any template", async () => {
    const before = { a: thing({ fail: true, value: { get_param: "secret" } }) };
    const path = await createStack(world, "app", { template: template(before) });
    await world.settle();
    const after = template({ a: thing({ fail: false, value: { get_param: "other" } }) });
    const request = {
      template: { ...after, parameters: { other: { type: "string", hidden: true } } },
      parameters: { other: "whisper" },
    };
    const { body } = await world.send("PUT", `${path}/preview`, request);
    expect(at(body, "resource_changes", "replaced", 0, "change", "properties")).toMatchObject([
      { name: "value", before: "******", after: "******" },
      { name: "fail", before: "******", after: false },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/hush|whisper/);
  });

  it("says of a type that decides in code that it may replace what is updated", async () => {
    const resourcesWith = (word: string): JsonObject => ({
      config: { type: "OS::Heat::SoftwareConfig", properties: { inputs: [{ name: "word" }] } },
      run: {
        type: "OS::Heat::SoftwareDeployment",
        properties: {
          config: { get_resource: "config" },
          server: "machine",
          input_values: { word },
          signal_transport: "NO_SIGNAL",
        },
      },
      plain: thing({ value: word }),
    });
    const path = await createStack(world, "app", { template: template(resourcesWith("a")) });
    await world.settle();
    const { body } = await world.send("PUT", `${path}/preview`, {
      template: template(resourcesWith("b")),
    });
    const reasons = listAt(body, "resource_changes", "updated").map((one) => [
      at(one, "resource_name"),
      at(one, "change", "reason"),
    ]);
    expect(Object.fromEntries(reasons)).toEqual({
      run: "its type decides whether it is replaced instead",
      plain: null,
    });
  });

  it("says of a type that reads its metadata that this is why it is updated", async () => {
    const launch = {
      type: "AWS::AutoScaling::LaunchConfiguration",
      properties: { ImageId: "i", InstanceType: "t" },
      metadata: { owner: { get_param: "secret" } },
    };
    const path = await createStack(world, "app", { template: template({ launch }) });
    await world.settle();
    const { body } = await world.send("PATCH", `${path}/preview`, {});
    const [updated] = listAt(body, "resource_changes", "updated");
    expect(at(updated ?? null, "change")).toMatchObject({
      properties: [],
      reason: "its metadata has changed, or has calls that are resolved again",
    });
  });

  it("does not call a row unchanged whose operation it overtakes", async () => {
    const path = await createStack(world, "app", {
      template: template({ a: thing({ value: "1" }) }),
    });
    await world.settle();
    const other = {
      template: template({ a: thing({ value: "2", action_wait_secs: { update: 60 } }) }),
    };
    await world.send("PUT", path, other);
    // Two messages: the prepare, and the visit that begins the update.
    await world.step();
    await world.step();
    const { body } = await world.send("PUT", `${path}/preview`, {
      template: template({ a: thing({ value: "1" }) }),
    });
    expect(at(body, "resource_changes", "updated", 0, "change")).toMatchObject({
      operation: { action: "UPDATE", fate: "awaited" },
    });
  });

  it("tells which parameters change or fall back to their defaults, hidden ones without values", async () => {
    const target = (parameters: JsonObject) => ({
      heat_template_version: "2018-08-31",
      parameters,
      resources: { a: thing({ value: "1" }) },
    });
    const text = { type: "string", default: "x" };
    const template = target({ given: text, left: text, secret: { ...text, hidden: true } });
    const parameters = { given: "1", left: "2", secret: "s" };
    const path = await createStack(world, "app", { template, parameters });
    await world.settle();
    const changes = async (method: "PUT" | "PATCH", request: JsonObject) =>
      at((await world.send(method, `${path}/preview`, request)).body, "parameter_changes");
    expect(await changes("PATCH", {})).toEqual([]);
    expect(await changes("PATCH", { parameters: { given: "3", secret: "t" } })).toEqual([
      { parameter_name: "given", change: "updated", before: "1", after: "3", falls_back: false },
      { parameter_name: "secret", change: "updated", falls_back: false },
    ]);
    expect(await changes("PUT", { template, parameters: { given: "1" } })).toEqual([
      { parameter_name: "left", change: "updated", before: "2", after: "x", falls_back: true },
      { parameter_name: "secret", change: "updated", falls_back: true },
    ]);
    const other = target({ given: text, left: { ...text, hidden: true }, fresh: text });
    expect(await changes("PUT", { template: other, parameters: { given: "1" } })).toEqual([
      { parameter_name: "left", change: "updated", falls_back: true },
      { parameter_name: "secret", change: "deleted", falls_back: false },
      { parameter_name: "fresh", change: "added", after: "x", falls_back: false },
    ]);
  });

  it("tells which outputs change although no resource does", async () => {
    const target = (outputs: JsonObject) => ({
      heat_template_version: "2018-08-31",
      parameters: {
        read: { type: "string", default: "x" },
        chosen: { type: "boolean", default: true },
        unread: { type: "string", default: "x" },
      },
      conditions: { chosen: { get_param: "chosen" } },
      resources: { a: thing({ value: "1" }) },
      outputs,
    });
    const reader = {
      value: { str_replace: { template: "-", params: { p: { get_param: "read" } } } },
    };
    const outputs = {
      reader,
      choice: { value: { if: ["chosen", "one", "other"] } },
      there: { value: "there", condition: "chosen" },
      attribute: { value: { get_attr: ["a", "output"] } },
      gone: { value: 1 },
    };
    const path = await createStack(world, "app", { template: target(outputs) });
    await world.settle();
    const changes = async (parameters: JsonObject, next: JsonObject) => {
      const request = { template: target(next), parameters };
      const { body } = await world.send("PUT", `${path}/preview`, request);
      return listAt(body, "output_changes").map(
        (one) => `${textAt(one, "change")} ${textAt(one, "output_key")}`,
      );
    };
    expect(await changes({}, outputs)).toEqual([]);
    expect(await changes({ unread: "y" }, outputs)).toEqual([]);
    expect(await changes({ read: "y" }, outputs)).toEqual(["updated reader"]);
    expect(await changes({ chosen: "false" }, outputs)).toEqual([
      "updated choice",
      "updated there",
    ]);
    expect(await changes({}, { ...outputs, gone: { value: 2 }, more: { value: 1 } })).toEqual([
      "updated gone",
      "added more",
    ]);
    expect(await changes({}, { reader })).toEqual([
      "deleted choice",
      "deleted there",
      "deleted attribute",
      "deleted gone",
    ]);
  });

  it("refuses an update whose plan is out of date", async () => {
    const path = await createStack(world, "app", { template: template({ a: thing({}) }) });
    await world.settle();
    const wanted = { template: template({ a: thing({ value: "2" }) }) };
    const { body } = await world.send("PUT", `${path}/preview`, wanted);
    const planned = `${path}?basis=${textAt(body, "basis")}`;
    expect((await world.send("PUT", planned, wanted)).status).toBe(202);
    const again = await world.send("PUT", planned, wanted);
    expect(again.status).toBe(409);
    expect(textAt(again.body, "error", "message")).toContain(
      "has moved since this request was prepared",
    );
  });

  it("refuses an update whose group was scaled since its plan", async () => {
    const group = {
      type: "OS::Heat::AutoScalingGroup",
      properties: {
        min_size: 1,
        max_size: 5,
        desired_capacity: 1,
        resource: { type: "OS::Heat::TestResource" },
      },
    };
    const policy = {
      type: "OS::Heat::ScalingPolicy",
      properties: {
        adjustment_type: "change_in_capacity",
        auto_scaling_group_id: { get_resource: "group" },
        scaling_adjustment: 1,
      },
    };
    const request = { template: template({ group, policy }) };
    const path = await createStack(world, "app", request);
    await world.settle();
    const basis = async () =>
      textAt((await world.send("PUT", `${path}/preview`, request)).body, "basis");
    const before = await basis();
    expect(await basis()).toBe(before);
    await world.send("POST", `${path}/resources/policy/signal`, {});
    await world.settle();
    const late = await world.send("PUT", `${path}?basis=${before}`, request);
    expect([late.status, textAt(late.body, "error", "type")]).toEqual([409, "StackMoved"]);
    expect((await world.send("PUT", `${path}?basis=${await basis()}`, request)).status).toBe(202);
  });

  it("refuses what the update refuses", async () => {
    const path = await createStack(world, "app", { template: template({ a: thing({}) }) });
    const answer = await world.send("PUT", `${path}/preview`, {
      template: template({ a: thing({ never: 1 }) }),
    });
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "error", "message")).toContain("Unknown Property never");
  });
});

describe("previewing a create", () => {
  it.each([
    [{ get_resource: "handle" }, "{}"],
    ["http://elsewhere.test/handle", ""],
  ])("shows the data of a wait condition with the handle %j as %j", async (handle, data) => {
    const answer = await world.send("POST", "/stacks/preview", {
      stack_name: "app",
      template: template({
        handle: { type: "OS::Heat::WaitConditionHandle" },
        wait: { type: "OS::Heat::WaitCondition", properties: { handle, timeout: 9 } },
      }),
    });
    expect(at(answer.body, "stack", "resources", 1, "attributes")).toEqual({ data });
  });

  it("shows the stack with its resources and their known properties", async () => {
    const answer = await world.send("POST", "/stacks/preview", {
      stack_name: "app",
      template: template({
        a: thing({ value: { get_param: "OS::stack_name" } }),
        b: thing({ value: { get_resource: "a" } }),
        c: thing({ value: { get_param: "secret" } }),
      }),
    });
    expect(answer.status).toBe(200);
    expect(at(answer.body, "stack")).toMatchObject({
      stack_name: "app",
      parameters: { secret: "******", "OS::stack_name": "app" },
      resources: [
        { resource_name: "a", required_by: ["b"], properties: { value: "app" } },
        { resource_name: "b", required_by: [], properties: { value: "a" } },
        { resource_name: "c", properties: { value: null } },
      ],
    });
    expect(JSON.stringify(answer.body)).not.toContain("hush");
    expect((await world.send("GET", "/stacks")).body).toEqual({ stacks: [] });
  });

  it("shows outputs, defaults, and the resources of a nested stack as a list", async () => {
    const child = {
      heat_template_version: "2021-04-16",
      parameters: { length: { type: "number", default: 3 } },
      resources: {
        r: {
          type: "OS::Heat::RandomString",
          properties: { length: { get_param: "length" } },
          metadata: { stack: { get_param: "OS::stack_name" } },
        },
      },
    };
    const answer = await world.send("POST", "/stacks/preview", {
      stack_name: "app",
      template: {
        heat_template_version: "2021-04-16",
        resources: {
          n: { type: "child.yaml" },
          v: { type: "OS::Heat::Value", properties: { value: [1] } },
        },
        outputs: {
          id: { value: { get_param: "OS::stack_id" } },
          seen: { value: { get_attr: ["v", "value"] } },
          named: { value: { get_resource: "v" } },
        },
      },
      files: { "child.yaml": JSON.stringify(child) },
    });
    const identity = { tenant: "demo", stack_name: "app-n", stack_id: "None", path: "" };
    expect(at(answer.body, "stack", "resources", 0)).toEqual([
      {
        updated_time: null,
        creation_time: null,
        resource_name: "r",
        physical_resource_id: "",
        resource_action: "INIT",
        resource_status: "COMPLETE",
        resource_status_reason: "",
        resource_type: "OS::Heat::RandomString",
        resource_identity: { ...identity, path: "/resources/r" },
        stack_identity: identity,
        stack_name: "app-n",
        required_by: [],
        parent_resource: "n",
        description: "",
        metadata: { stack: "app-n" },
        attributes: { value: null },
        properties: {
          length: 3,
          character_classes: [{ class: "lettersdigits", min: 1 }],
          character_sequences: null,
          sequence: null,
          salt: null,
        },
      },
    ]);
    expect(at(answer.body, "stack", "resources", 1)).toMatchObject({
      attributes: { value: [1] },
      properties: { value: [1], type: null },
    });
    expect(at(answer.body, "stack", "timeout_mins")).toBeNull();
    expect(at(answer.body, "stack", "outputs")).toEqual([
      { output_key: "id", description: "No description given", output_value: "None" },
      { output_key: "seen", description: "No description given", output_value: null },
      { output_key: "named", description: "No description given", output_value: "v" },
    ]);
  });
});
