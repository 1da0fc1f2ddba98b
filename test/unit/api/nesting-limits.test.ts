import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld } from "./api-world.ts";
import { state } from "./nested-templates.ts";

const depthOf = (index: number): string =>
  Array.from({ length: index }, () => "resources.n<n.yaml>").join(".");

describe("the limits of nesting", () => {
  it("nests at most five levels deep", async () => {
    const nests = "heat_template_version: 2018-08-31\nresources: {n: {type: n.yaml}}\n";
    const world = openWorld();
    const template = { heat_template_version: "2018-08-31", resources: { n: { type: "n.yaml" } } };
    const body = { stack_name: "deep", template, files: { "n.yaml": nests } };
    const answer = await world.send("POST", "/stacks", body);
    expect(at(answer.body, "error", "message")).toBe(
      `RequestLimitExceeded: ${depthOf(6)}: Request limit exceeded: Recursion depth exceeds 5.`,
    );
    const level = (below: string) =>
      `heat_template_version: 2018-08-31\nresources: {n: {type: ${below}}}\n`;
    const chain = {
      "1.yaml": level("2.yaml"),
      "2.yaml": level("3.yaml"),
      "3.yaml": level("4.yaml"),
      "4.yaml": level("5.yaml"),
      "5.yaml": level("Hearth::Test::Scenario"),
    };
    const top = { heat_template_version: "2018-08-31", resources: { n: { type: "1.yaml" } } };
    const path = await createStack(world, "five", { template: top, files: chain });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    const all = await world.send("GET", `${path}/resources?nested_depth=5`);
    expect(listAt(all.body, "resources")).toHaveLength(6);
    const two = await world.send("GET", `${path}/resources?nested_depth=1`);
    expect(listAt(two.body, "resources")).toHaveLength(2);
    expect(at(two.body, "resources", 1, "parent_resource")).toBe("n");
  });

  it("counts the resources of all levels together", async () => {
    const many = Array.from({ length: 400 }, (_, at) => `r${at}: {type: OS::Heat::None}`);
    const nested = `heat_template_version: 2018-08-31\nresources: {${many.join(", ")}}\n`;
    const stacks = Array.from({ length: 300 }, (_, at) => `s${at}: {type: n.yaml}`);
    const level = `heat_template_version: 2018-08-31\nresources: {${stacks.join(", ")}}\n`;
    const resources = { a: { type: "level.yaml" } };
    const world = openWorld();
    const template = { heat_template_version: "2018-08-31", resources };
    const body = { stack_name: "many", template, files: { "n.yaml": nested, "level.yaml": level } };
    const answer = await world.send("POST", "/stacks", body);
    expect(at(answer.body, "error", "message")).toBe(
      "Request limit exceeded: Maximum resources per stack exceeded.",
    );
  });

  it("counts the members of groups in groups, although it looks at one of each", async () => {
    const group = (count: number, resource_def: JsonObject): JsonObject => ({
      type: "OS::Heat::ResourceGroup",
      properties: { count, resource_def },
    });
    const answerTo = async (outer: number) => {
      const leaf = { type: "OS::Heat::RandomString" };
      const resources = { g: group(outer, group(10, group(100, leaf))) };
      const template = { heat_template_version: "2018-08-31", resources };
      return openWorld().send("POST", "/stacks", { stack_name: "many", template });
    };
    expect((await answerTo(98)).status).toBe(201);
    const { status, body } = await answerTo(10_000);
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      "Request limit exceeded: Maximum resources per stack exceeded.",
    );
  });
});
