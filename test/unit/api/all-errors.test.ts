import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, openWorld } from "./api-world.ts";

const templateWith = (resources: JsonObject, outputs: JsonObject = {}): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: { base: { type: "OS::Heat::Value", properties: { value: 1 } }, ...resources },
  outputs,
});

const reading = (attribute: string): JsonObject => ({
  type: "OS::Heat::Value",
  properties: { value: { get_attr: ["base", attribute] } },
});

const refusal = async (path: string, template: JsonObject): Promise<Json | undefined> =>
  at((await openWorld().send("POST", path, { stack_name: "web", template })).body, "error");

const wrongAttribute = (place: string, attribute: string) => ({
  type: "HTTPBadRequest",
  message: `${place}: The Referenced Attribute (base ${attribute}) is incorrect.`,
});

describe("all_errors", () => {
  const template = templateWith(
    { a: reading("x"), b: reading("value"), c: reading("y") },
    { o: { value: { get_attr: ["base", "z"] } } },
  );
  const first = wrongAttribute("resources.a.properties.value.get_attr", "x");

  it("tells each wrong resource and output of one step", async () => {
    expect(await refusal("/validate?all_errors=true", template)).toMatchObject({
      ...first,
      others: [
        wrongAttribute("resources.c.properties.value.get_attr", "y"),
        wrongAttribute("outputs.o.value.get_attr", "z"),
      ],
    });
  });

  it("tells the first one only without it, as Heat does", async () => {
    const error = await refusal("/validate", template);
    expect(error).toMatchObject(first);
    expect(error).not.toHaveProperty("others");
  });

  it.each([
    [
      { a: { type: "No::A" }, b: { type: "No::B" } },
      "The Resource Type (No::B) could not be found.",
    ],
    [
      { a: { type: "OS::Heat::None", metadata: 1 }, b: { type: "OS::Heat::None", metadata: 2 } },
      "Resource b metadata type must be object",
    ],
    [
      {
        a: { type: "OS::Heat::None", depends_on: "no" },
        b: { type: "OS::Heat::None", depends_on: "nay" },
      },
      'The specified reference "nay" (in b) is incorrect.',
    ],
    [
      { a: { type: "OS::Heat::Value" }, b: { type: "OS::Heat::Value" } },
      "Property error: resources.b.properties: Property value not assigned",
    ],
  ])("tells those of types, shapes, references and values: %j", async (resources, message) => {
    const error = await refusal("/stacks/preview?all_errors=true", templateWith(resources));
    expect(at(error, "others")).toMatchObject([{ message }]);
  });
});
