import { expect, it } from "vitest";
import { checkPauses } from "#lib/groups/batches.ts";

it("the pauses between batches must take less than the time that is left", () => {
  const refusal = "The current update policy will result in stack update timeout.";
  expect(() => checkPauses(3, 30, 60)).toThrow(refusal);
  expect(() => checkPauses(3, 30, 61)).not.toThrow();
  expect(() => checkPauses(1, 30, 1)).not.toThrow();
  expect(() => checkPauses(0, 30, 1)).not.toThrow();
  expect(() => checkPauses(3, 0, 0)).not.toThrow();
});
