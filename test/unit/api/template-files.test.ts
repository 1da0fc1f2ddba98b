import { describe, expect, it } from "vitest";
import { at, createStack, openWorld } from "./api-world.ts";

const TEMPLATE = { heat_template_version: "2016-10-14", parameters: { p: { type: "string" } } };

const requestWith = (text: string) => ({
  template: TEMPLATE,
  parameters: { p: "a" },
  files: { "unused.yaml": text },
});

const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ["heat_template_version: 2099-01-01", "InvalidTemplateVersion", /"heat_template_version: 2099/],
  ["heat_template_version: 5", "InvalidTemplateVersion", /Template version was not provided$/],
  [
    "heat_template_version: 2016-10-14\nparameters: {other: {type: date}}",
    "InvalidSchemaError",
    /^Invalid type \(date\)$/,
  ],
];

describe("a template among the files that no resource uses", () => {
  it.each(WRONG)("refuses every request with %s", async (text, type, message) => {
    const world = openWorld();
    const body = requestWith(text);
    const path = await createStack(world, "app", { ...body, files: {} });
    await world.settle();
    for (const [method, url, more] of [
      ["POST", "/stacks", { stack_name: "other" }],
      ["POST", "/stacks/preview", { stack_name: "other" }],
      ["POST", "/validate", {}],
      ["PUT", path, {}],
      ["PATCH", path, {}],
    ] as const) {
      const answer = await world.send(method, url, { ...body, ...more });
      expect(answer.status).toBe(400);
      expect(at(answer.body, "error", "type")).toBe(type);
      expect(at(answer.body, "error", "message")).toMatch(message);
    }
  });

  it.each([
    "heat_template_version: [",
    "- heat_template_version: 2099-01-01",
    "echo heat_template_version",
    "heat_template_version: 2016-10-14\nresources: 5\nno_such_section: 1",
  ])("may be %s", async (text) => {
    const { status } = await openWorld().send("POST", "/validate", requestWith(text));
    expect(status).toBe(200);
  });

  it("may be no larger than a template, whatever it is", async () => {
    const most = await openWorld().send("POST", "/validate", requestWith("x".repeat(524_288)));
    expect(most.status).toBe(200);
    const { status, body } = await openWorld().send(
      "POST",
      "/validate",
      requestWith("x".repeat(524_289)),
    );
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      "Request limit exceeded: Template size (524289 bytes) exceeds maximum allowed size (524288 bytes).",
    );
  });
});
