import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld } from "./api-world.ts";
import { CHILD, output, provider, state } from "./nested-templates.ts";

describe("a template as a type", () => {
  it("has the template's parameters for properties and its outputs for attributes", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", {
      template: provider("1", "My::Thing"),
      files: { "c.yaml": CHILD },
      environment: { resource_registry: { "My::*": "c.yaml" } },
    });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("1");
    const [inner] = (await world.fakeProvider.list()).filter((one) => one.logicalName === "inner");
    expect(inner?.properties).toEqual({ size: "1", extra: ["x", "y"] });
    expect(await output(world, path, "inner")).toBe(inner?.physicalId);
    expect(await output(world, path, "all")).toEqual({
      size: "1",
      id: inner?.physicalId,
      "resource.inner": inner?.physicalId,
      "resource.inner.size": "1",
    });
    expect(await output(world, path, "step")).toBe("1");
    expect(await output(world, path, "ref")).toMatch(
      /^arn:openstack:heat::demo:stacks\/top-child-/,
    );
    const shown = await world.send("GET", `${path}/resources/child`);
    expect(at(shown.body, "resource", "resource_type")).toBe("My::Thing");
  });

  it("takes a null for a required parameter as Heat does: an empty text, list or map", async () => {
    const world = openWorld();
    const child = {
      heat_template_version: "2018-08-31",
      parameters: Object.fromEntries(
        ["string", "number", "boolean", "comma_delimited_list", "json"].map((type) => [
          type,
          { type },
        ]),
      ),
      outputs: {
        all: {
          value: ["string", "number", "boolean", "comma_delimited_list", "json"].map((type) => ({
            get_param: type,
          })),
        },
      },
    };
    const properties = {
      string: null,
      number: null,
      boolean: null,
      comma_delimited_list: null,
      json: null,
    };
    const path = await createStack(world, "top", {
      template: {
        heat_template_version: "2018-08-31",
        resources: { child: { type: "c.yaml", properties } },
        outputs: { all: { value: { get_attr: ["child", "all"] } } },
      },
      files: { "c.yaml": JSON.stringify(child) },
    });
    await world.settle();
    expect(await output(world, path, "all")).toEqual(["", 0, false, [], {}]);
  });

  it("refuses unknown properties, and requires the template's parameters", async () => {
    const world = openWorld();
    const refusal = async (properties: JsonObject, file: JsonObject = { "c.yaml": CHILD }) => {
      const resources = { child: { type: "c.yaml", properties } };
      const template = { heat_template_version: "2018-08-31", resources };
      const answer = await world.send("POST", "/stacks", {
        stack_name: "bad",
        template,
        files: file,
      });
      return at(answer.body, "error", "message");
    };
    expect(await refusal({ size: "1", bogus: 1 })).toBe(
      "Property error: resources.child.properties: Unknown Property bogus",
    );
    expect(await refusal({})).toBe(
      "Property error: resources.child.properties: Property size not assigned",
    );
    expect(await refusal({ size: "1" }, {})).toBe(
      'Could not fetch remote template "c.yaml": Invalid URL scheme ',
    );
  });

  it("passes on a change of the file without a change of properties", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", {
      template: provider("1"),
      files: { "c.yaml": CHILD },
    });
    await world.settle();
    const more = CHILD.replace("outputs:", "  other: {type: Hearth::Test::Scenario}\noutputs:");
    await world.send("PUT", path, { template: provider("1"), files: { "c.yaml": more } });
    await world.settle();
    expect(await state(world, path)).toBe("UPDATE_COMPLETE");
    const names = (await world.fakeProvider.list()).map(({ logicalName }) => logicalName);
    expect(names.toSorted()).toEqual(["after", "inner", "other"]);
  });
});
