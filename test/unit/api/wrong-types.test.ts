import { expect, it } from "vitest";
import { at, openWorld } from "./api-world.ts";

it("an unknown type is told before a template that is missing, as in Heat", async () => {
  const template = {
    heat_template_version: "2021-04-16",
    resources: { first: { type: "missing.yaml" }, second: { type: "No::Such::Type" } },
  };
  const refusal = async (resources: object) => {
    const body = { template: { ...template, resources: { ...resources } } };
    return at((await openWorld().send("POST", "/validate", body)).body, "error", "message");
  };
  expect(await refusal(template.resources)).toBe(
    "The Resource Type (No::Such::Type) could not be found.",
  );
  expect(await refusal({ first: template.resources.first })).toBe(
    'Could not fetch remote template "missing.yaml": Invalid URL scheme ',
  );
});
