import { expect, it } from "vitest";
import { resourceChange } from "#lib/adapters/local/change-images.ts";
import type { Resource } from "#lib/model/resource.ts";
import { aRow } from "#test/contract/records.ts";

const row: Resource = {
  ...aRow({ action: "CREATE", status: "COMPLETE", statusReason: "state changed" }),
  version: 3,
};
const refusedIn = (traversalId: string): Partial<Resource> => ({
  statusReason: "ResourceActionRestricted: resources.a: update is restricted for resource.",
  failed: { traversalId, isUpdate: true },
});

it("tells a refusal again, although the row says the same as before", () => {
  const first = { ...row, ...refusedIn("one") };
  expect(resourceChange(row, first)).not.toBeNull();
  expect(resourceChange(first, { ...first, ...refusedIn("two") })).not.toBeNull();
  expect(resourceChange(first, { ...first, number: 7 })).toBeNull();
});

it("tells no mark of a failed row, whose failure it has told", () => {
  const failed: Resource = { ...row, ...refusedIn("one"), status: "FAILED" };
  expect(resourceChange(failed, { ...failed, ...refusedIn("two") })).toBeNull();
});
