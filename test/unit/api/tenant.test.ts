import { describe, expect, it } from "vitest";
import { projectOf } from "#functions/authorizer/credential.ts";
import { pathSegments } from "#lib/api/tenant.ts";

describe("the segments of a path", () => {
  it.each([
    ["/", [""]],
    ["", [""]],
    ["///", [""]],
    ["/v1/a/stacks", ["v1", "a", "stacks"]],
    ["//v1/a//stacks//", ["v1", "a", "", "stacks"]],
  ])("of %j are %j", (path, segments) => {
    expect(pathSegments(path)).toEqual(segments);
  });

  it("are found in one pass, so that a long run of slashes holds up nobody", () => {
    // Trying the run from each of its slashes would take 20,000,000,000 steps.
    const path = `/v1/a${"/".repeat(200_000)}b`;
    expect(pathSegments(path)).toHaveLength(200_002);
    expect(projectOf(path)).toBe("a");
  });
});
