import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChangesAnswer } from "#client/wire.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { hasChanges, previewLines } from "../../../apps/cli/stack/preview-lines.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const VERSION = "2018-08-31";

const leaf = (value: string): string =>
  JSON.stringify({
    heat_template_version: VERSION,
    parameters: { more: { type: "string", default: "" } },
    resources: {
      a: { type: "OS::Heat::TestResource", properties: { value } },
      b: { type: "OS::Heat::TestResource", properties: { value: { get_param: "more" } } },
    },
    outputs: { out: { value: { get_attr: ["a", "output"] } } },
  });

const middle = JSON.stringify({
  heat_template_version: VERSION,
  resources: { low: { type: "leaf.yaml" } },
  outputs: { out: { value: { get_attr: ["low", "out"] } } },
});

const filesWith = (value: string) => ({ "leaf.yaml": leaf(value), "middle.yaml": middle });

/** `reader` reads an attribute of `r`, so a change below `r` changes it, too. */
const requestOf = (resource: JsonObject, attribute: readonly Json[], value = "1"): JsonObject => ({
  template: {
    heat_template_version: VERSION,
    resources: {
      r: resource,
      reader: {
        type: "OS::Heat::Value",
        properties: { value: { get_attr: ["r", ...attribute] } },
      },
    },
  },
  files: filesWith(value),
});

const preview = async (world: World, path: string, request: JsonObject) => {
  const { status, body } = await world.send("PUT", `${path}/preview`, request);
  expect(status).toBe(200);
  const answer = ChangesAnswer.parse(body);
  return { answer, changes: hasChanges(answer), lines: previewLines(answer, 80) };
};

const made = async (request: JsonObject) => {
  const world = openWorld();
  const path = await createStack(world, "app", request);
  await world.settle();
  const { body } = await world.send("GET", path);
  expect(textAt(body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
  return { world, path };
};

const NESTED: readonly (readonly [string, JsonObject, readonly Json[]])[] = [
  ["a template as a type", { type: "leaf.yaml" }, ["out"]],
  ["two levels of them", { type: "middle.yaml" }, ["out"]],
  [
    "OS::Heat::Stack",
    { type: "OS::Heat::Stack", properties: { template: { get_file: "leaf.yaml" } } },
    ["outputs", "out"],
  ],
  [
    "a stack of CloudFormation",
    { type: "AWS::CloudFormation::Stack", properties: { TemplateURL: "leaf.yaml" } },
    ["Outputs.out"],
  ],
  [
    "a group",
    {
      type: "OS::Heat::ResourceGroup",
      properties: { count: 3, resource_def: { type: "middle.yaml" } },
      update_policy: { rolling_update: { max_batch_size: 1, min_in_service: 2 } },
    },
    ["out"],
  ],
  [
    "a chain",
    { type: "OS::Heat::ResourceChain", properties: { resources: ["leaf.yaml", "middle.yaml"] } },
    ["out"],
  ],
  [
    "a scaling group",
    {
      type: "OS::Heat::AutoScalingGroup",
      properties: {
        min_size: 1,
        max_size: 4,
        desired_capacity: 2,
        resource: { type: "leaf.yaml" },
      },
    },
    ["outputs_list", "out"],
  ],
];

describe.each(NESTED)("the preview of %s", (_what, resource, attribute) => {
  it("finds no change where the update makes none", async () => {
    const request = requestOf(resource, attribute);
    const { world, path } = await made(request);
    const { answer, changes, lines } = await preview(world, path, request);
    expect(changes).toBe(false);
    expect(lines[0]).toBe("Nothing changes.");
    // Heat lists a nested stack as updated even if nothing in it changes.
    expect(answer.resource_changes["updated"]?.map(({ resource_name: name }) => name)).toEqual([
      "r",
    ]);
    const named = { ...request, tags: "x" };
    expect((await preview(world, path, named)).changes).toBe(false);
  });

  it("finds a change below, and in what reads it", async () => {
    const { world, path } = await made(requestOf(resource, attribute));
    const { answer, changes } = await preview(world, path, requestOf(resource, attribute, "2"));
    expect(changes).toBe(true);
    const updated = answer.resource_changes["updated"] ?? [];
    expect(updated.map(({ resource_name: name }) => name)).toEqual(["r", "reader"]);
    expect(updated[0]?.change?.visit).toBe("changed");
  });
});

describe("a preview of a value with a type", () => {
  it("shows the property converted and the attribute as it is", async () => {
    const properties = { value: "5", type: "number" };
    const template = {
      heat_template_version: "2021-04-16",
      resources: { one: { type: "OS::Heat::Value", properties } },
    };
    const sent = { stack_name: "app", template };
    const { body } = await openWorld().send("POST", "/stacks/preview", sent);
    expect(at(body, "stack", "resources", 0)).toMatchObject({
      properties: { value: 5, type: "number" },
      attributes: { value: "5" },
    });
  });
});

describe("the preview of a group", () => {
  it("knows the members that an earlier update has removed", async () => {
    const groupWith = (properties: JsonObject): JsonObject => ({
      type: "OS::Heat::ResourceGroup",
      properties: { resource_def: { type: "leaf.yaml" }, ...properties },
    });
    const { world, path } = await made(requestOf(groupWith({ count: 3 }), ["out"]));
    const request = requestOf(
      groupWith({ count: 2, removal_policies: [{ resource_list: ["1"] }] }),
      ["out"],
    );
    await world.send("PUT", path, request);
    await world.settle();
    expect((await preview(world, path, request)).changes).toBe(false);
    const more = requestOf(groupWith({ count: 3, removal_policies: [{ resource_list: ["1"] }] }), [
      "out",
    ]);
    const { answer } = await preview(world, path, more);
    const [group] = answer.resource_changes["updated"] ?? [];
    expect(group?.change?.reason).toBe("in it: 1 added");
  });

  it("knows the members that a signal has added", async () => {
    const request: JsonObject = {
      template: {
        heat_template_version: VERSION,
        resources: {
          r: {
            type: "OS::Heat::AutoScalingGroup",
            properties: { min_size: 1, max_size: 4, resource: { type: "leaf.yaml" } },
          },
          up: {
            type: "OS::Heat::ScalingPolicy",
            properties: {
              auto_scaling_group_id: { get_resource: "r" },
              adjustment_type: "change_in_capacity",
              scaling_adjustment: 1,
            },
          },
        },
      },
      files: filesWith("1"),
    };
    const { world, path } = await made(request);
    expect((await world.send("POST", `${path}/resources/up/signal`, {})).status).toBe(200);
    await world.settle();
    const { body } = await world.send("GET", `${path}/resources/r`);
    expect(at(body, "resource", "attributes", "current_size")).toBe(2);
    expect((await preview(world, path, request)).changes).toBe(false);
  });

  it("does not call a failed nested stack unchanged", async () => {
    const failing = JSON.stringify({
      heat_template_version: VERSION,
      resources: { a: { type: "OS::Heat::TestResource", properties: { fail: true } } },
    });
    const request: JsonObject = {
      template: { heat_template_version: VERSION, resources: { r: { type: "f.yaml" } } },
      files: { "f.yaml": failing },
    };
    const world = openWorld();
    const path = await createStack(world, "app", request);
    await world.settle();
    expect((await preview(world, path, request)).changes).toBe(true);
  });
});

describe("the preview of a group of deployments", () => {
  it("looks past the barriers of its batches", async () => {
    const requestWith = (word: string): JsonObject => ({
      template: {
        heat_template_version: VERSION,
        resources: {
          config: {
            type: "OS::Heat::SoftwareConfig",
            properties: { group: "script", config: "x", inputs: [{ name: "word" }] },
          },
          r: {
            type: "OS::Heat::SoftwareDeploymentGroup",
            update_policy: {
              batch_create: { max_batch_size: 1 },
              rolling_update: { max_batch_size: 1 },
            },
            properties: {
              config: { get_resource: "config" },
              servers: { one: "machine", two: "other" },
              input_values: { word },
              signal_transport: "NO_SIGNAL",
            },
          },
        },
      },
    });
    const { world, path } = await made(requestWith("a"));
    expect((await preview(world, path, requestWith("a"))).changes).toBe(false);
    const { answer } = await preview(world, path, requestWith("b"));
    expect(answer.resource_changes["updated"]?.[0]?.change).toMatchObject({
      reason: "in it: 2 updated",
      visit: "changed",
    });
    await world.send("PUT", path, requestWith("b"));
    await world.settle();
    expect((await preview(world, path, requestWith("b"))).changes).toBe(false);
  });
});

const COUNTED: readonly (readonly [string, (count: Json) => JsonObject])[] = [
  ["OS::Heat::ResourceGroup", (count) => ({ count, resource_def: { type: "leaf.yaml" } })],
  [
    "OS::Heat::AutoScalingGroup",
    (count) => ({
      min_size: 0,
      max_size: 4,
      desired_capacity: count,
      resource: { type: "leaf.yaml" },
    }),
  ],
  [
    "OS::Heat::ResourceChain",
    (count) => ({ resources: ["leaf.yaml"], resource_properties: { more: count } }),
  ],
  [
    "OS::Heat::SoftwareDeploymentGroup",
    (count) => ({ config: "none", servers: { one: "machine" }, input_values: { count } }),
  ],
];

describe.each(COUNTED)("the preview of %s", (type, given) => {
  it("says that it changes if a property is known only then", async () => {
    const requestWith = (size: number): JsonObject => ({
      template: {
        heat_template_version: VERSION,
        resources: {
          size: { type: "OS::Heat::Value", properties: { type: "number", value: size } },
          r: { type, properties: given({ get_attr: ["size", "value"] }) },
        },
      },
      files: filesWith("1"),
    });
    const world = openWorld();
    const path = await createStack(world, "app", requestWith(2));
    await world.settle();
    const { answer, changes } = await preview(world, path, requestWith(3));
    expect(changes).toBe(true);
    const all = Object.values(answer.resource_changes).flat();
    const group = all.find(({ resource_name: name }) => name === "r");
    expect(group?.change).toMatchObject({ visit: "changed", properties: [{ unknown: true }] });
    expect(world.unexpected).toEqual([]);
  });
});

interface Node {
  readonly kind: string;
  readonly value: number;
  readonly below: readonly Node[];
}

/** A group of templates adds two levels of stacks, and five levels are allowed. */
const NESTED_MAX = 2;

const nodesOf = (nested: number): fc.Arbitrary<Node> =>
  fc.record({
    kind:
      nested === 0 ? fc.constant("plain") : fc.constantFrom("plain", "template", "group", "chain"),
    value: fc.integer({ min: 0, max: 1 }),
    below: nested === 0 ? fc.constant([]) : fc.array(nodesOf(nested - 1), { maxLength: 2 }),
  });

interface Level {
  readonly resources: JsonObject;
  readonly out: Json;
}

/**
 * Each level below is a file named after its place. Something reads the attributes of each nested
 * stack, so that a change below changes its reader, too.
 */
const levelOf = (level: readonly Node[], path: string, files: Map<string, string>): Level => {
  const resources: [string, JsonObject][] = [];
  const out: Json[] = [];
  for (const [place, { kind, value, below }] of level.entries()) {
    if (kind === "plain") {
      const name = `plain${place}`;
      const properties = { value: `${value}` };
      resources.push([name, { type: "OS::Heat::TestResource", properties }]);
      out.push({ get_attr: [name, "output"] });
      continue;
    }
    const file = `${path}${place}.yaml`;
    const inside = levelOf(below, `${path}${place}`, files);
    const outputs = { out: { value: inside.out } };
    const template = { heat_template_version: VERSION, resources: inside.resources, outputs };
    files.set(file, JSON.stringify(template));
    const name = `nested${place}`;
    const read = { get_attr: [name, "out"] };
    resources.push([name, nesting(kind, file, value)]);
    resources.push([
      `plainReader${place}`,
      { type: "OS::Heat::Value", properties: { value: read } },
    ]);
    out.push(read);
  }
  return { resources: Object.fromEntries(resources), out };
};

const nesting = (kind: Node["kind"], file: string, value: number): JsonObject => {
  if (kind === "template") return { type: file };
  return kind === "group"
    ? {
        type: "OS::Heat::ResourceGroup",
        properties: { count: value + 1, resource_def: { type: file } },
      }
    : { type: "OS::Heat::ResourceChain", properties: { resources: [file] } };
};

const treeRequest = (level: readonly Node[]): JsonObject => {
  const files = new Map<string, string>();
  const { resources, out } = levelOf(level, "f", files);
  return {
    template: { heat_template_version: VERSION, resources, outputs: { out: { value: out } } },
    files: Object.fromEntries(files),
  };
};

const RUNS = 40;

describe("a random tree of nested stacks", () => {
  it("changes in an update if, and only if, its preview says so", async () => {
    const trees = fc.array(nodesOf(NESTED_MAX), { minLength: 1, maxLength: 3 });
    const outcomes = new Set<boolean>();
    const check = async (before: readonly Node[], after: readonly Node[]): Promise<void> => {
      const { world, path } = await made(treeRequest(before));
      const request = treeRequest(after);
      const foreseen = (await preview(world, path, request)).changes;
      const first = await changeCount(world, path);
      await world.send("PUT", path, request);
      await world.settle();
      const isChanged = (await changeCount(world, path)) > first;
      outcomes.add(foreseen);
      expect(foreseen).toBe(isChanged);
    };
    await fc.assert(
      fc.asyncProperty(trees, trees, fc.boolean(), (before, other, isSame) =>
        check(before, isSame ? before : other),
      ),
      { numRuns: RUNS },
    );
    expect(outcomes.size).toBe(2);
  }, 120_000);
});

/** Changes of resources in all stacks. An update of a nested stack itself does not count. */
const changeCount = async (world: World, path: string): Promise<number> => {
  const { body } = await world.send("GET", `${path}/events?nested_depth=5&limit=100000`);
  return listAt(body, "events").filter((one) => {
    const name = textAt(one, "logical_resource_id");
    const isMade = /^(CREATE|DELETE)/.test(textAt(one, "resource_status"));
    return name.startsWith("plain") || (isMade && /^(nested)?\d+$/.test(name));
  }).length;
};

describe("the preview of a nested stack whose operation has not succeeded", () => {
  const below = (properties: JsonObject): JsonObject => ({
    template: { heat_template_version: VERSION, resources: { r: { type: "below.yaml" } } },
    files: {
      "below.yaml": JSON.stringify({
        heat_template_version: VERSION,
        resources: { a: { type: "OS::Heat::TestResource", properties } },
      }),
    },
  });
  const shown = async (world: World, path: string, request: JsonObject) => {
    const asked = await world.send("PUT", `${path}/preview?show_nested=true`, request);
    const { resource_changes } = ChangesAnswer.parse(asked.body);
    return Object.entries(resource_changes).flatMap(([kind, resources]) =>
      resources.map(({ resource_name: name, change }) => [kind, name, change?.reason]),
    );
  };

  it("tells what a second attempt replaces in it", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", below({ fail: true }));
    await world.settle();
    expect(await shown(world, path, below({ fail: false }))).toEqual([
      ["updated", "r", "its CREATE has failed; in it: 1 replaced"],
      ["replaced", "a", "its CREATE has failed"],
    ]);
  });

  it("tells what changes in it where the update interrupts it", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", below({ value: "1", wait_secs: 9 }));
    const isBegun = async (): Promise<boolean> => {
      const { body } = await world.send("GET", `${path}/resources?nested_depth=1`);
      return listAt(body, "resources").some(
        (one) => at(one, "resource_name") === "a" && at(one, "physical_resource_id") !== "",
      );
    };
    while (!(await isBegun())) await world.step();
    expect(await shown(world, path, below({ value: "2", wait_secs: 9 }))).toEqual([
      ["updated", "r", "its CREATE is interrupted; in it: 1 updated"],
      ["updated", "a", null],
    ]);
    expect(await shown(world, path, below({ value: "1", wait_secs: 9 }))).toEqual([
      ["unchanged", "a", null],
      ["updated", "r", "its CREATE is interrupted; an operation goes on in it"],
    ]);
  });
});
