import { expect, it } from "vitest";
import { failureBelow } from "#lib/resources/nested/nested-result.ts";

it.each([
  [
    "Resource CREATE failed: ValueError: resources.x: Test Resource failed x",
    "CREATE",
    { errorType: "ValueError", below: "resources.x", reason: "Test Resource failed x" },
  ],
  [
    "Resource UPDATE failed: StackValidationFailed: resources[0]: Property error: p: no:number",
    "UPDATE",
    {
      errorType: "StackValidationFailed",
      below: "resources[0]",
      reason: "Property error: p: no: number",
    },
  ],
  [
    "Resource CREATE failed: ValueError: resources.x: text",
    "UPDATE",
    { errorType: "", reason: "Resource CREATE failed: ValueError: resources.x: text" },
  ],
  [
    "Resource CREATE failed: resources.x: text",
    "CREATE",
    { errorType: "", reason: "Resource CREATE failed: resources.x: text" },
  ],
  ["Timed out", "CREATE", { errorType: "", reason: "Timed out" }],
])("%s in %s", (reason, action, expected) => {
  expect(failureBelow(reason, action)).toEqual({ state: "failed", ...expected });
});
