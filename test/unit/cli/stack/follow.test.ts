import { describe, expect, it } from "vitest";
import { logCommand } from "../../../../apps/cli/stack/follow.ts";

describe("the log of a deployment that an operation failed with", () => {
  it.each([
    ["resources.run", "run"],
    ["resources.group.resources[0]", "group/0"],
    ["resources.a.resources[1].resources.run-it", "a/1/run-it"],
  ])("of %s is the log of %s", (place, path) => {
    const reason = `Resource CREATE failed: Error: ${place}: Deployment to server failed: exit 3`;
    expect(logCommand("web", reason)).toBe(`hearth deployment logs web ${path} --stderr`);
  });

  it("is not there for other failures", () => {
    expect(logCommand("web", "Resource CREATE failed: Error: resources.db: no space")).toBeNull();
  });
});
