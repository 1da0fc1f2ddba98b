import { expect, it } from "vitest";
import { hasDrifted } from "../../../apps/console/src/repair.ts";

const change = (kind: string, visit: "changed" | "reached" | "none") => ({
  kind,
  name: "one",
  type: "My::Type",
  requiredBy: [],
  parent: null,
  detail: { properties: [], reason: null, operation: null, visit, keeps_object: false },
});
const foreseen = (...changes: readonly ReturnType<typeof change>[]) => ({
  changes,
  warnings: [],
  basis: null,
});

it("a repair is due only if an update does more than to look", () => {
  expect(hasDrifted(foreseen())).toBe(false);
  expect(hasDrifted(foreseen(change("unchanged", "none")))).toBe(false);
  expect(hasDrifted(foreseen(change("updated", "reached")))).toBe(false);
  expect(hasDrifted(foreseen(change("unchanged", "none"), change("updated", "changed")))).toBe(
    true,
  );
  expect(hasDrifted(foreseen(change("replaced", "changed")))).toBe(true);
});
