import { describe, expect, it } from "vitest";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { parseEnvironment } from "#lib/template/environment/environment.ts";
import { hooksOf, restrictionsOf } from "#lib/template/environment/resource-hooks.ts";

const registry = (resources: JsonObject): JsonObject => ({ resources });

const failureOf = (resources: JsonObject): { code: string; message: string } | null => {
  try {
    parseEnvironment({ resource_registry: registry(resources) });
    return null;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { code: error.code, message: error.message };
  }
};

describe("hooks of resources by their name", () => {
  it("are found by name and by pattern, and added up", () => {
    const hooks = registry({
      web: { hooks: "pre-create" },
      "w*": { hooks: ["post-create", "pre-update"] },
      "*": { hooks: "pre-delete" },
      db: { hooks: "post-delete" },
    });
    expect([...hooksOf(hooks, "web")].sort()).toEqual([
      "post-create",
      "pre-create",
      "pre-delete",
      "pre-update",
    ]);
    expect([...hooksOf(hooks, "other")]).toEqual(["pre-delete"]);
    expect([...hooksOf({}, "web")]).toEqual([]);
  });

  it.each([
    ["a*c", "abbc", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["?*", "a", true],
    ["a*c", "ac", true],
    ["a*c", "acb", false],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
    ["a.c", "abc", false],
    ["a", "aa", false],
    ["", "a", false],
    ["**", "", true],
  ])("the pattern %j matches %j: %s", (pattern, name, matches) => {
    expect(hooksOf(registry({ [pattern]: { hooks: "pre-create" } }), name).size).toBe(
      matches ? 1 : 0,
    );
  });

  it("matches a pattern of many asterisks at once", () => {
    const pattern = `${"*a".repeat(200)}b`;
    expect(hooksOf(registry({ [pattern]: { hooks: "pre-create" } }), "a".repeat(255)).size).toBe(0);
  });
});

describe("restricted actions", () => {
  it("come from every entry that matches", () => {
    const restricted = registry({
      web: { restricted_actions: "update" },
      "*": { restricted_actions: ["replace"] },
    });
    expect([...restrictionsOf(restricted, "web")].sort()).toEqual(["replace", "update"]);
    expect([...restrictionsOf(restricted, "db")]).toEqual(["replace"]);
  });

  it("are refused with Heat's text if there is no such action", () => {
    expect(failureOf({ web: { restricted_actions: "delete" } })).toEqual({
      code: "InvalidRestrictedAction",
      message:
        "Invalid restricted_action type \"delete\" for resource, acceptable restricted_action types are: ('update', 'replace')",
    });
    expect(
      failureOf({ web: { restricted_actions: ["update"], hooks: ["pre-create"] } }),
    ).toBeNull();
  });
});
