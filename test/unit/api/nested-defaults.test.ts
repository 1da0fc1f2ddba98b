import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld } from "./api-world.ts";

const CHILD = `
heat_template_version: 2018-08-31
parameters:
  size: {type: string}
  color: {type: string, default: red, constraints: [{allowed_values: [red, blue]}]}
outputs:
  seen: {value: {list_join: [" ", [{get_param: size}, {get_param: color}]]}}
`;

const bodyWith = (defaults: JsonObject): JsonObject => ({
  template: {
    heat_template_version: "2018-08-31",
    resources: { child: { type: "child.yaml" } },
    outputs: { seen: { value: { get_attr: ["child", "seen"] } } },
  },
  files: { "child.yaml": CHILD },
  environment: { parameter_defaults: defaults },
});

describe("the parameters of a template type", () => {
  it("need no property if the environment has a default for them", async () => {
    const world = openWorld();
    const path = await createStack(world, "web", bodyWith({ size: "big" }));
    await world.settle();
    const { body } = await world.send("GET", `${path}/outputs/seen`);
    expect(at(body, "output", "output_value")).toBe("big red");
  });

  it("need one if the environment takes their default away", async () => {
    const body = { stack_name: "web", ...bodyWith({ size: "big", color: null }) };
    const answer = await openWorld().send("POST", "/stacks", body);
    expect(at(answer.body, "error", "message")).toBe(
      "Property error: resources.child.properties: Property color not assigned",
    );
  });

  it("have the environment's default checked as if it were their own", async () => {
    const body = { stack_name: "web", ...bodyWith({ size: "big", color: "green" }) };
    const answer = await openWorld().send("POST", "/stacks", body);
    expect(at(answer.body, "error", "message")).toBe(
      "InvalidSchemaError: resources.child<child.yaml>: Parameter 'color' is invalid: " +
        'Invalid default green ("green" is not an allowed value ["red", "blue"])',
    );
  });
});
