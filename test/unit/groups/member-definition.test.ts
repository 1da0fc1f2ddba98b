import { describe, expect, it } from "vitest";
import { memberBody, resourceGroupDefinition, withIndex } from "#lib/groups/member-definition.ts";

describe("the index variable", () => {
  it("is replaced in texts of values at any depth, and nowhere else", () => {
    const given = { "%i%": "a-%i%-%i%", list: ["%i%", { deep: "%i%" }, 1, null, true] };
    expect(withIndex(given, "%i%", "12")).toEqual({
      "%i%": "a-12-12",
      list: ["12", { deep: "12" }, 1, null, true],
    });
  });

  it("is a text and no pattern, and so is the name", () => {
    expect(withIndex({ a: "x.y $$$" }, "$$$", "$&")).toEqual({ a: "x.y $&" });
    expect(withIndex({ a: "xay" }, "x.y", "1")).toEqual({ a: "xay" });
  });

  it("keeps the order of keys that are numbers", () => {
    expect(Object.keys(withIndex({ b: "1", a: { x: 1 } }, "%i%", "0"))).toEqual(["b", "a"]);
  });
});

describe("the definition of a ResourceGroup's member", () => {
  it("leaves out properties without a value, but keeps empty ones inside", () => {
    const resourceDef = { type: "T", properties: { a: null, b: { c: null } }, metadata: {} };
    expect(resourceGroupDefinition(resourceDef, "%i%")).toEqual({
      body: { type: "T", properties: { b: { c: null } }, metadata: {} },
      indexVar: "%i%",
    });
    expect(resourceGroupDefinition({ type: "T" }, "%i%").body).toEqual({ type: "T" });
  });

  it("has the name in its properties, and not in its metadata", () => {
    const body = { type: "T", properties: { a: "%i%" }, metadata: { b: "%i%" } };
    expect(memberBody({ body, indexVar: "%i%" }, "4")).toEqual({
      type: "T",
      properties: { a: "4" },
      metadata: { b: "%i%" },
    });
    expect(memberBody({ body, indexVar: null }, "4")).toBe(body);
    expect(memberBody({ body: { type: "T" }, indexVar: "%i%" }, "4")).toEqual({ type: "T" });
  });
});
