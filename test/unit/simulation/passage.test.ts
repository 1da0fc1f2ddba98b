import { expect, it } from "vitest";
import { passageOf } from "../../simulation/mutants/passage.ts";

const SOURCE = `const claim = async (row: Row): Promise<Claimed> =>
  // The clause comes last.
  store.update(
    asRead(row),
    { clause: "free" },
  );
`;

const found = (wanted: string): string | null => {
  const passage = passageOf(SOURCE, wanted);
  return passage === null ? null : SOURCE.slice(passage.start, passage.end);
};

it("finds a passage in another layout, and nothing where a token differs", () => {
  expect(found("asRead(row)")).toBe("asRead(row)");
  expect(found('store.update(asRead(row), { clause: "free" })')).toBe(
    'store.update(\n    asRead(row),\n    { clause: "free" },\n  )',
  );
  expect(found('=> store.update(asRead(row), { clause: "free" });')).toContain("comes last");
  expect(found('store.update(asRead(row), { clause: "taken" })')).toBeNull();
  expect(found("")).toBe("");
});
