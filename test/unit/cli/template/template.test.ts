import { expect, it } from "vitest";
import { PreviewAnswer } from "#client/wire.ts";
import { resolvedLines } from "../../../../apps/cli/template/template.ts";

it("what a template gives is printed with what is known of it", () => {
  const inner = {
    stack_name: "app-below",
    parent_resource: "below",
    resource_name: "r",
    resource_type: "A",
    properties: { size: 3, salt: null },
  };
  const root = { stack_name: "app", resource_name: "v", resource_type: "B", properties: {} };
  const { stack } = PreviewAnswer.parse({
    stack: {
      outputs: [
        { output_key: "o", description: "", output_value: [1] },
        { output_key: "e", description: "", output_value: null, output_error: "no value" },
      ],
      resources: [[[inner]], root],
    },
  });
  expect(resolvedLines(stack)).toEqual([
    "outputs:",
    "  o = [1]",
    "  e = error: no value",
    "resources:",
    "  app-below/r (A)",
    "    size = 3",
    "  v (B)",
  ]);
});
