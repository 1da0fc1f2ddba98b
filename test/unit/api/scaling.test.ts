import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const MINUTE_MS = 60_000;

const policy = (adjustment: number, more: JsonObject = {}): JsonObject => ({
  type: "OS::Heat::ScalingPolicy",
  properties: mergedMaps<Json>(
    {
      auto_scaling_group_id: { get_resource: "asg" },
      adjustment_type: "change_in_capacity",
      scaling_adjustment: adjustment,
    },
    more,
  ),
});

/** A null removes the property. */
const withoutNulls = (given: JsonObject, changed: JsonObject): JsonObject =>
  mapOf(Object.entries(mergedMaps<Json>(given, changed)).filter(([, value]) => value !== null));

interface Group {
  readonly group?: JsonObject;
  readonly member?: JsonObject;
  readonly policy?: JsonObject;
}

const template = (given: Group = {}): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: {
    asg: {
      type: "OS::Heat::AutoScalingGroup",
      properties: withoutNulls(
        {
          min_size: 1,
          max_size: 5,
          desired_capacity: 2,
          resource: {
            type: "OS::Heat::TestResource",
            properties: mergedMaps<Json>({ value: "1" }, given.member ?? {}),
          },
        },
        given.group ?? {},
      ),
    },
    up: policy(1, given.policy),
    down: policy(-50, { adjustment_type: "percent_change_in_capacity" }),
  },
  outputs: {
    size: { value: { get_attr: ["asg", "current_size"] } },
    refs: { value: { get_attr: ["asg", "refs"] } },
    list: { value: { get_attr: ["asg", "outputs_list", "output"] } },
    first: { value: { get_attr: ["asg", "resource.0.output"] } },
    noPlace: { value: { get_attr: ["asg", "resource.0x1.output"] } },
  },
});

const open = async (given: Group = {}) => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: template(given) });
  await world.settle();
  const outputs = async (): Promise<Readonly<Record<string, Json | undefined>>> => {
    const { body } = await world.send("GET", path);
    const list = at(body, "stack", "outputs");
    const entries = Array.isArray(list) ? list : [];
    return Object.fromEntries(
      entries.map((one) => [textAt(one, "output_key"), at(one, "output_value")]),
    );
  };
  return {
    world,
    path,
    outputs,
    size: async () => (await outputs())["size"],
    signal: (name: string, details?: Json) =>
      world.send("POST", `${path}/resources/${name}/signal`, details),
    update: (changed: Group) => world.send("PUT", path, { template: template(changed) }),
    state: async () => textAt((await world.send("GET", path)).body, "stack", "stack_status"),
    stateOf: async (name: string) =>
      textAt(
        (await world.send("GET", `${path}/resources/${name}`)).body,
        "resource",
        "resource_status",
      ),
    below: () => world.store.dump().stacks.find(({ owner }) => owner !== null),
  };
};

const settleNow = async (world: World): Promise<void> => {
  for (;;) {
    const isDue = world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now());
    if (!isDue || !(await world.step())) return;
  }
};

describe("a signal to a scaling policy", () => {
  it("adds and removes members within the bounds, and readers see them at once", async () => {
    const { world, signal, size, outputs } = await open();
    expect(await outputs()).toMatchObject({
      size: 2,
      list: ["1", "1"],
      first: "1",
      noPlace: null,
    });
    for (const wanted of [3, 4, 5, 5]) {
      expect((await signal("up")).status).toBe(200);
      await world.settle();
      expect(await size()).toBe(wanted);
    }
    expect((await outputs())["refs"]).toHaveLength(5);
    for (const wanted of [3, 2, 1, 1]) {
      await signal("down", { current: "alarm" });
      await world.settle();
      expect(await size()).toBe(wanted);
    }
    expect(world.fakeProvider.objects()).toHaveLength(1);
    expect(world.unexpected).toEqual([]);
  });

  it("finds members whose stack has Heat's mapping of their type", async () => {
    const { world, below } = await open();
    const { name, id } = present(below(), "the nested stack");
    const { body } = await world.send("GET", `/stacks/${name}/${id}/environment`);
    expect(at(body, "resource_registry", "OS::Heat::ScaledResource")).toBe("AWS::EC2::Instance");
  });

  it("comes by the signed URL, too, with PUT and POST and without a body", async () => {
    const { world, path, size } = await open();
    for (const method of ["PUT", "POST"] as const) {
      const { body } = await world.send("GET", `${path}/resources/up`);
      const url = new URL(textAt(body, "resource", "attributes", "alarm_url"));
      const query = Object.fromEntries(url.searchParams);
      const id = url.pathname.split("/").at(-1) ?? "";
      await receiveSignal(world.ports, id, { method, query, body: "" });
      await world.settle();
    }
    expect(await size()).toBe(4);
  });

  it("scales once if two come at the same time", async () => {
    const { world, signal, size } = await open();
    const answers = await Promise.all([signal("up"), signal("up"), signal("up")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await world.settle();
    expect(await size()).toBe(3);
  });

  it("has no effect while the group is scaled, or in a cooldown after it", async () => {
    const { world, signal, size } = await open({
      policy: { cooldown: 60 },
      member: { wait_secs: 30 },
    });
    await signal("up");
    await settleNow(world);
    await signal("up");
    await world.settle();
    expect(await size()).toBe(3);
    world.clock.advance(MINUTE_MS / 2);
    await signal("up");
    await world.settle();
    expect(await size()).toBe(3);
    world.clock.advance(MINUTE_MS);
    await signal("up");
    await world.settle();
    expect(await size()).toBe(4);
  });

  it("has no effect in the cooldown that a create and an update of the group begin", async () => {
    const group = { cooldown: 60 };
    const { world, signal, size, update } = await open({ group });
    await signal("up");
    expect(await size()).toBe(2);
    world.clock.advance(MINUTE_MS);
    await update({ group: { cooldown: 61, desired_capacity: 3 } });
    await world.settle();
    world.clock.advance(MINUTE_MS);
    await signal("up");
    expect(await size()).toBe(3);
    world.clock.advance(MINUTE_MS);
    await signal("up");
    await world.settle();
    expect(await size()).toBe(4);
  });

  it("makes an event only if it scales", async () => {
    const { world, path, signal } = await open({ policy: { cooldown: 60 } });
    const details = { previous: "ok", current: "alarm", reason: "hot" };
    await signal("up", details);
    await signal("up", details);
    await world.settle();
    const { body } = await world.send("GET", `${path}/resources/up/events`);
    const reasons = JSON.stringify(body).match(/alarm state changed from ok to alarm \(hot\)/g);
    expect(reasons).toHaveLength(1);
  });

  it.each([1.0005, -5, 1e300])(
    "leaves a record that another worker can read, with a cooldown of %d",
    async (cooldown) => {
      const { world, signal, size, below } = await open({ policy: { cooldown } });
      await signal("up");
      await world.settle();
      expect(await size()).toBe(3);
      const stack = below();
      if (stack === undefined) throw new Error("there is no nested stack");
      // Another blob port has another cache, as another worker has.
      const other = { ...world.ports, blobs: { ...world.blobs } };
      const { source } = await loadTemplate(other, stack.tenant, stack.id, stack.templateId);
      expect(source.group?.record.size).toBe(3);
    },
  );

  it("has the stack's time, not what the group's last operation had left", async () => {
    const world = openWorld();
    const given = template();
    const first = { type: "OS::Heat::TestResource", properties: { wait_secs: 90 } };
    const late = mergedMaps<Json>(sectionOf(sectionOf(given, "resources"), "asg"), {
      depends_on: "first",
    });
    const resources = mergedMaps<Json>(sectionOf(given, "resources"), { first, asg: late });
    const path = await createStack(world, "app", {
      timeout_mins: 3,
      template: mergedMaps<Json>(given, { resources }),
    });
    await world.settle();
    const below = () => world.store.dump().stacks.find(({ owner }) => owner !== null);
    expect(below()).toMatchObject({ status: "COMPLETE", timeoutMins: 2 });
    await world.send("POST", `${path}/resources/up/signal`);
    expect(below()).toMatchObject({ status: "IN_PROGRESS", timeoutMins: 3 });
  });

  it("is answered with 200 for a group that is not there", async () => {
    const { signal, world, size } = await open({ policy: { auto_scaling_group_id: "other" } });
    expect((await signal("up")).status).toBe(200);
    await world.settle();
    expect(await size()).toBe(2);
  });
});

describe("a signal beside an operation of the stack", () => {
  it("has no effect during an update of the group, and the update ends well", async () => {
    const { world, signal, size, update, state } = await open({ member: { wait_secs: 30 } });
    await update({ member: { value: "2", wait_secs: 30 } });
    for (let signals = 0; signals < 6; signals++) {
      expect((await signal("up")).status).toBe(200);
      await world.step();
    }
    await world.settle();
    expect([await state(), await size()]).toEqual(["UPDATE_COMPLETE", 2]);
  });

  it("is overtaken by an update, which starts from the new size", async () => {
    const group: JsonObject = { desired_capacity: null };
    const { world, signal, size, update, state, outputs } = await open({
      group,
      member: { wait_secs: 30 },
    });
    await signal("up");
    await settleNow(world);
    await update({ group, member: { value: "2", wait_secs: 30 } });
    await world.settle();
    expect([await state(), await size()]).toEqual(["UPDATE_COMPLETE", 2]);
    expect((await outputs())["list"]).toEqual(["2", "2"]);
  });

  it("makes a SUSPEND wait for the scaling, and is refused after it", async () => {
    const { world, path, signal, size, state } = await open({ member: { wait_secs: 30 } });
    await signal("up");
    await settleNow(world);
    await world.send("POST", `${path}/actions`, { suspend: null });
    await world.settle();
    expect(await state()).toBe("SUSPEND_COMPLETE");
    expect((await signal("up")).status).toBe(400);
    await world.send("POST", `${path}/actions`, { resume: null });
    await world.settle();
    expect([await state(), await size()]).toEqual(["RESUME_COMPLETE", 3]);
  });

  it("is ended by a delete", async () => {
    const { world, path, signal } = await open({ member: { wait_secs: 30 } });
    await signal("up");
    await settleNow(world);
    await world.send("DELETE", path);
    await world.settle();
    expect(world.fakeProvider.objects()).toEqual([]);
  });

  it("that fails leaves the group COMPLETE, and the next one mends it", async () => {
    const { world, signal, size, stateOf, below } = await open();
    const { create } = world.fakeProvider;
    Object.assign(world.fakeProvider, {
      create: async () => {
        Object.assign(world.fakeProvider, { create });
        return { state: "missing" };
      },
    });
    await signal("up");
    await world.settle();
    expect(await stateOf("asg")).toBe("CREATE_COMPLETE");
    expect(below()?.status).toBe("FAILED");
    expect(await size()).toBe(2);
    await signal("up");
    await world.settle();
    expect(await size()).toBe(3);
  });
});

describe("the deletion policy of a scaling group's members", () => {
  const resource = (deletionPolicy: string): JsonObject => ({
    type: "OS::Heat::TestResource",
    deletion_policy: deletionPolicy,
  });

  it("keeps the objects of members that go", async () => {
    const { world, signal, size } = await open({ group: { resource: resource("Retain") } });
    await signal("down");
    await world.settle();
    expect(await size()).toBe(1);
    expect(world.fakeProvider.objects()).toHaveLength(2);
  });

  it("is refused if there is no such policy", async () => {
    const given = template({ group: { resource: resource("retain") } });
    const world = openWorld();
    const answer = await world.send("POST", "/stacks", { stack_name: "app", template: given });
    expect(answer.status).toBe(400);
    expect(at(answer.body, "error", "message")).toContain('Invalid deletion policy "retain"');
  });
});

describe("an update of a scaling group", () => {
  it("rolls all members to another definition, and keeps the size that signals gave", async () => {
    const group: JsonObject = { desired_capacity: null, max_size: 4 };
    const { world, signal, outputs, update, state } = await open({ group });
    await signal("up");
    await world.settle();
    await update({ group, member: { value: "2" } });
    await world.settle();
    expect(await state()).toBe("UPDATE_COMPLETE");
    expect((await outputs())["list"]).toEqual(["2", "2"]);
  });

  it("brings the desired capacity back, and 0 is one", async () => {
    const { world, signal, size, update } = await open();
    await signal("up");
    await world.settle();
    await update({ group: { max_size: 6 } });
    await world.settle();
    expect(await size()).toBe(2);
    await update({ group: { min_size: 0, desired_capacity: 0 } });
    await world.settle();
    expect(await size()).toBe(0);
    await signal("up");
    await world.settle();
    expect(await size()).toBe(1);
  });
});

describe("a number that no group can have", () => {
  it("is refused, and names the property", async () => {
    const world = openWorld();
    const huge = `1${"0".repeat(400)}`;
    const text = JSON.stringify(template({ group: { max_size: "huge" } })).replace('"huge"', huge);
    const { status, body } = await world.send("POST", "/stacks", {
      stack_name: "app",
      template: text,
    });
    expect(status).toBe(400);
    expect(textAt(body, "error", "message")).toContain("max_size");
    const answer = await world.send("POST", "/validate?show_nested=True", { template: text });
    expect(answer.status).toBeLessThan(500);
  });
});

describe("adopting a stack with a scaling group", () => {
  it("takes over the members that there are, whatever their number", async () => {
    const { world, path, signal } = await open();
    await signal("up");
    await world.settle();
    const before = world.fakeProvider.objects().map(({ physicalId }) => physicalId);
    const { body } = await world.send("DELETE", `${path}/abandon`);
    await world.settle();
    const adopted = await createStack(world, "again", { adopt_stack_data: body });
    await world.settle();
    const shown = (await world.send("GET", adopted)).body;
    expect(textAt(shown, "stack", "stack_status")).toBe("ADOPT_COMPLETE");
    expect(at(shown, "stack", "outputs")).toContainEqual(
      expect.objectContaining({ output_key: "size", output_value: 3 }),
    );
    expect(world.fakeProvider.objects().map(({ physicalId }) => physicalId)).toEqual(before);
  });
});

describe("a definition of members that is none", () => {
  const refusalOf = async (resource: JsonObject) => {
    const properties = { min_size: 1, max_size: 2, resource };
    const group = { type: "OS::Heat::AutoScalingGroup", properties };
    const other = { type: "OS::Heat::Value", properties: { value: "x" } };
    const resources = { group, other };
    const body = {
      stack_name: "app",
      template: { heat_template_version: "2018-08-31", resources },
    };
    const answer = await openWorld().send("POST", "/stacks", body);
    return answer.status === 201 ? "created" : textAt(answer.body, "error", "message");
  };
  const TYPE = { type: "OS::Heat::RandomString" };

  it.each<readonly [string, JsonObject]>([
    [`KeyError: resources.group<nested_stack>: 'Resource member is missing "type"'`, {}],
    [
      "TypeError: resources.group<nested_stack>: Resource member type type must be string",
      { type: 5 },
    ],
    [
      "TypeError: resources.group<nested_stack>: Resource member type type must be string",
      { type: { get_attr: ["other", "value"] } },
    ],
    ["resources.group<nested_stack>: Each Resource must contain a Type key.", { type: "" }],
    [
      "TypeError: resources.group<nested_stack>: Resource member properties type must be object",
      { ...TYPE, properties: [1] },
    ],
    [
      "resources.group<nested_stack>: Resource member depends_on must be a list of strings",
      { ...TYPE, depends_on: [{ a: 1 }] },
    ],
  ])("is refused with Heat's words: %s", async (text, resource) => {
    expect(await refusalOf(resource)).toBe(text);
  });

  it("may have words that have no effect there", async () => {
    const words = { depends_on: ["other", "nobody"], condition: "nobody", external_id: "x" };
    expect(await refusalOf({ ...TYPE, ...words })).toBe("created");
  });
});
