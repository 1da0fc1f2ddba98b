import { beforeEach, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const FIRST = { type: "OS::Heat::TestResource", properties: { fail: { get_param: "fail" } } };

const TEMPLATE: JsonObject = {
  heat_template_version: "2018-08-31",
  parameters: { fail: { type: "boolean", default: false } },
  resources: {
    first: FIRST,
    thing: { type: "My::Thing", depends_on: "first" },
  },
  outputs: {
    word: { value: { get_attr: ["thing", "word"] } },
    length: { value: { get_attr: ["thing", "length"] } },
    both: { value: [{ get_attr: ["thing", "length"] }, { get_resource: "thing" }] },
  },
};

const inner = (output: string): string =>
  JSON.stringify({
    heat_template_version: "2018-08-31",
    resources: { text: { type: "OS::Heat::RandomString" } },
    outputs: { [output]: { value: "x" } },
  });

const target = (file: string, more: JsonObject = {}): JsonObject => ({
  template: TEMPLATE,
  files: { "word.yaml": inner("word"), "length.yaml": inner("length") },
  environment: { resource_registry: { "My::Thing": file } },
  ...more,
});

let world: World;
let path: string;
beforeEach(async () => {
  world = openWorld();
  const values = { word: { value: { get_attr: ["thing", "word"] } } };
  const template = { ...TEMPLATE, outputs: values };
  path = await createStack(world, "app", target("word.yaml", { template }));
  await world.settle();
  await world.send("PUT", path, target("length.yaml", { parameters: { fail: true } }));
  await world.settle();
});

const typeOf = async (url: string): Promise<string | undefined> =>
  listAt((await world.send("GET", url)).body, "resources")
    .filter((one) => at(one, "resource_name") === "thing")
    .map((one) => textAt(one, "resource_type"))[0];

it("is listed under the word of the template that it was made from", async () => {
  expect(at((await world.send("GET", path)).body, "stack", "stack_status")).toBe("UPDATE_FAILED");
  expect(await typeOf(`${path}/resources`)).toBe("My::Thing");
  expect(await typeOf(`${path}/resources?limit=9`)).toBe("My::Thing");
  const { body } = await world.send("GET", `${path}/resources/thing`);
  expect(at(body, "resource", "resource_type")).toBe("My::Thing");
});

it("is so while it is deleted, and in the preview of its removal", async () => {
  const without = { ...TEMPLATE, resources: { first: FIRST }, outputs: {} };
  const preview = await world.send("PUT", `${path}/preview`, { template: without });
  const [removed] = listAt(preview.body, "resource_changes", "deleted");
  expect(at(removed, "resource_type")).toBe("My::Thing");
  await world.send("DELETE", path);
  expect(await typeOf(`${path}/resources`)).toBe("My::Thing");
});

it("has an error, and no silent null, for an attribute of the type that it has not become", async () => {
  const { body } = await world.send("GET", path);
  const outputs = Object.fromEntries(
    listAt(body, "stack", "outputs").map((one) => [textAt(one, "output_key"), one]),
  );
  expect(outputs["word"]).toMatchObject({ output_value: "x" });
  for (const name of ["length", "both"]) {
    expect(outputs[name]).toMatchObject({
      output_value: null,
      output_error:
        "The Referenced Attribute (thing length) is incorrect: thing still is of the type word.yaml.",
    });
  }
  await world.send("PUT", path, target("length.yaml"));
  await world.settle();
  const after = await world.send("GET", `${path}/outputs/length`);
  expect(at(after.body, "output", "output_value")).toBe("x");
});
