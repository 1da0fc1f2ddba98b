import { expect, it } from "vitest";
import { printable } from "../../../../apps/cli/print.ts";
import { problemLines } from "../../../../apps/cli/template/validate.ts";

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
