import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt } from "./api-world.ts";
import { CHILD, output, state } from "./nested-templates.ts";

const URL = "https://example.com/child.yaml";

const parent = (properties: JsonObject, size = "1") => ({
  AWSTemplateFormatVersion: "2010-09-09",
  Resources: {
    child: {
      Type: "AWS::CloudFormation::Stack",
      Properties: { TemplateURL: URL, Parameters: { size }, ...properties },
    },
    after: {
      Type: "Hearth::Test::Scenario",
      Properties: { got: { "Fn::GetAtt": ["child", "Outputs.size"] } },
    },
  },
  Outputs: {
    got: { Value: { "Fn::GetAtt": ["after", "got"] } },
    ref: { Value: { Ref: "child" } },
  },
});

const files = { [URL]: CHILD };

describe("AWS::CloudFormation::Stack", () => {
  it("makes a nested stack from a file of the request, and follows updates to its end", async () => {
    const world = openWorld();
    const path = await createStack(world, "top", { template: parent({}), files });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("1");
    const { body } = await world.send("GET", `${path}/resources/child`);
    const nested = listAt(body, "resource", "links").find((one) => at(one, "rel") === "nested");
    const child = textAt(nested ?? null, "href");
    const stack = (await world.send("GET", child)).body;
    expect(await output(world, path, "ref")).toBe(
      `arn:openstack:heat::demo:stacks/${textAt(stack, "stack", "stack_name")}/${textAt(stack, "stack", "id")}`,
    );
    await world.send("PUT", path, { template: parent({}, "2"), files });
    await world.settle();
    expect(await output(world, path, "got")).toBe("2");
    const changed = { [URL]: CHILD.replace("value: {get_attr: [inner, size]}", "value: other") };
    await world.send("PUT", path, { template: parent({}, "2"), files: changed });
    await world.settle();
    expect(await state(world, path)).toBe("UPDATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("other");
    await world.send("DELETE", path);
    await world.settle();
    expect(await state(world, child)).toBe("DELETE_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual([]);
    expect(world.unexpected).toEqual([]);
  });

  it("refuses a template that is not among the files, and one with an error", async () => {
    const world = openWorld();
    const refusal = async (properties: JsonObject, sent: JsonObject = files) => {
      const body = { stack_name: "bad", template: parent(properties), files: sent };
      const answer = await world.send("POST", "/stacks", body);
      return [answer.status, at(answer.body, "error", "message")];
    };
    const place = "Resources.child<nested_stack>";
    const missing = (url: string, why: string) => [
      400,
      `ValueError: ${place}: Could not fetch remote template '${url}': ${why}`,
    ];
    expect(await refusal({}, {})).toEqual(missing(URL, `Failed to retrieve template from ${URL}`));
    for (const [url, scheme] of [
      ["child.yaml", ""],
      ["file:///child.yaml", "file"],
      ["__proto__", ""],
    ] as const) {
      expect(await refusal({ TemplateURL: url })).toEqual(
        missing(url, `Invalid URL scheme ${scheme}`),
      );
    }
    const wrong = { [URL]: CHILD.replace("Hearth::Test::Scenario", "No::Such::Type") };
    expect(await refusal({}, wrong)).toEqual([
      400,
      `${place}: The Resource Type (No::Such::Type) could not be found.`,
    ]);
  });

  it("takes its URL and parameters from other resources, and its timeout in minutes", async () => {
    const world = openWorld();
    const template = parent({
      TemplateURL: { "Fn::GetAtt": ["before", "url"] },
      Parameters: { size: { "Fn::GetAtt": ["before", "size"] } },
      TimeoutInMinutes: 5,
    });
    const before = { Type: "Hearth::Test::Scenario", Properties: { url: URL, size: "7" } };
    const Resources = { ...template.Resources, before };
    const path = await createStack(world, "top", { template: { ...template, Resources }, files });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    expect(await output(world, path, "got")).toBe("7");
    const { body } = await world.send("GET", `${path}/resources/child`);
    const nested = listAt(body, "resource", "links").find((one) => at(one, "rel") === "nested");
    const shown = (await world.send("GET", textAt(nested ?? null, "href"))).body;
    expect(at(shown, "stack", "timeout_mins")).toBe(5);
  });

  it("takes 0 minutes for no timeout of its own, and refuses less", async () => {
    const world = openWorld();
    const template = parent({ TimeoutInMinutes: 0 });
    const path = await createStack(world, "top", { template, files });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    const body = { stack_name: "bad", template: parent({ TimeoutInMinutes: -1 }), files };
    const refused = await world.send("POST", "/stacks", body);
    expect([refused.status, at(refused.body, "error", "message")]).toEqual([
      400,
      "ValueError: Resources.child<nested_stack>: Invalid timeout value -1",
    ]);
  });

  it("hides a parameter whose value comes from a hidden one", async () => {
    const world = openWorld();
    const template = {
      ...parent({ Parameters: { size: { Ref: "secret" } } }),
      Parameters: { secret: { Type: "String", NoEcho: "true" } },
    };
    const parameters = { secret: "hush" };
    await createStack(world, "top", { template, files, parameters });
    await world.settle();
    const all = (await world.send("GET", "/stacks?show_nested=true")).body;
    const nested = listAt(all, "stacks").find((one) => at(one, "parent") !== null);
    const href = textAt(listAt(nested ?? null, "links")[0] ?? null, "href");
    const shown = (await world.send("GET", href)).body;
    expect(at(shown, "stack", "parameters", "size")).toBe("******");
  });

  it("is previewed with the resources of its template", async () => {
    const world = openWorld();
    const body = { stack_name: "top", template: parent({}), files };
    const { body: shown } = await world.send("POST", "/stacks/preview", body);
    expect(JSON.stringify(at(shown, "stack", "resources"))).toContain('"resource_name":"inner"');
  });
});
