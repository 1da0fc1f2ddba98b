import { expect, it } from "vitest";
import { PreviewAnswer } from "#client/wire.ts";
import { printable } from "../../../../apps/cli/print.ts";
import { problemLines, resolvedLines } from "../../../../apps/cli/template/validate.ts";

const message = "The Resource Type (OS::No\u001b[2J\u0007\napp.yaml: fine) could not be found.";

it("lets no name of a template move the cursor, or make a line of its own", () => {
  const place = { line: 4, column: 5 };
  const problem = { code: "EntityNotFound", file: "app.yaml", place, message, suggestion: null };
  expect(problemLines([problem])).toEqual([
    "app.yaml:4:5: error: The Resource Type (OS::No [2J \n  app.yaml: fine) could not be found.",
  ]);
  expect(printable(message)).toBe(
    "The Resource Type (OS::No [2J \napp.yaml: fine) could not be found.",
  );
});

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
