import { expect, it } from "vitest";
import { at, openWorld } from "./api-world.ts";

it("a validation shows the types in use with the targets that wildcards write", async () => {
  const registry = { "My::*": "OS::Heat::*", "All::*": "OS::Heat::None", "Chain::*": "My::*" };
  const template = {
    heat_template_version: "2015-04-30",
    resources: {
      a: { type: "My::RandomString" },
      b: { type: "All::Thing" },
      c: { type: "Chain::RandomString" },
      d: { type: "OS::Heat::RandomString" },
    },
  };
  const environment = { resource_registry: registry };
  const { body } = await openWorld().send("POST", "/validate", { template, environment });
  expect(at(body, "Environment", "resource_registry")).toEqual({
    resources: {},
    ...registry,
    "My::RandomString": "OS::Heat::*",
    "All::Thing": "OS::Heat::None",
    "Chain::RandomString": "My::*",
  });
});
