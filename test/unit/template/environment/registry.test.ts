import { describe, expect, it } from "vitest";
import { mapType, registryBelow, unsupportedEntry } from "#lib/template/environment/registry.ts";

describe("mapType", () => {
  it("follows mappings to a built-in type or a template, and keeps other types", () => {
    const registry = { "My::A": "My::B", "My::B": "OS::Heat::None", "My::T": "t.yaml" };
    expect(mapType(registry, "r", "My::A")).toEqual({ type: "OS::Heat::None", entry: null });
    expect(mapType(registry, "r", "My::T")).toEqual({ type: "t.yaml", entry: ["My::T"] });
    expect(mapType(registry, "r", "Other")).toEqual({ type: "Other", entry: null });
  });

  it("prefers an exact type, then the longer wildcard, and keeps the rest of the name", () => {
    const registry = { "My::*": "Far::*", "My::Own::*": "near.yaml", "My::Own::X": "x.yaml" };
    expect(mapType(registry, "r", "My::Own::X").type).toBe("x.yaml");
    expect(mapType(registry, "r", "My::Own::Y").type).toBe("near.yaml");
    expect(mapType(registry, "r", "My::Z").type).toBe("Far::Z");
  });

  it("prefers the entries for the name of the resource", () => {
    const registry = {
      "My::T": "general.yaml",
      resources: { "web_*": { "My::T": "web.yaml" }, web_1: { "My::T": "first.yaml" } },
    };
    expect(mapType(registry, "web_1", "My::T").type).toBe("first.yaml");
    expect(mapType(registry, "web_2", "My::T").type).toBe("web.yaml");
    expect(mapType(registry, "db", "My::T").type).toBe("general.yaml");
  });

  it("prefers the longer pattern of a name, and the name itself to a pattern", () => {
    const to = (type: string) => ({ "My::*": type });
    const resources = { "*": to("any"), "a*": to("a"), "a?c": to("three"), "a*c": to("a*c") };
    const typeOf = (name: string) => mapType({ resources }, name, "My::T").type;
    expect(["abc", "abbc", "ab", "b", "a*c"].map(typeOf)).toEqual([
      "three",
      "a*c",
      "a",
      "any",
      "a*c",
    ]);
  });

  it("takes little time for patterns that fit in very many ways", () => {
    const resources = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`${"a*".repeat(40)}${at}b`, { T: "x.yaml" }]),
    );
    for (let at = 0; at < 1_000; at += 1) {
      expect(mapType({ resources }, "a".repeat(250) + at, "T").type).toBe("T");
    }
  });

  it("takes little time for a long chain of mappings", () => {
    const registry = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`T${at}`, `T${at + 1}`]),
    );
    for (let at = 0; at < 1_000; at += 1) {
      expect(mapType(registry, "r", `T${at}`).type).toBe(`T${at}`);
    }
    expect(mapType(registry, "r", "T19950").type).toBe("T20000");
  });

  it("keeps a type in a circle, and a type that maps to itself or to nothing", () => {
    expect(mapType({ A: "B", B: "A" }, "r", "A").type).toBe("A");
    expect(mapType({ A: "A" }, "r", "A").type).toBe("A");
    expect(mapType({ A: null }, "r", "A").type).toBe("A");
  });

  it("keeps a type whose wildcard fits its own result", () => {
    expect(mapType({ "A*": "AB*" }, "r", "Ax").type).toBe("Ax");
    expect(mapType({ "A*": "B::*", "B::*": "AA*" }, "r", "Ax").type).toBe("Ax");
  });
});

describe("registryBelow", () => {
  it("lacks the entry of the template, so a template can wrap the type that it replaces", () => {
    const registry = { "OS::Heat::None": "none.yaml", Other: "o.yaml" };
    const { entry } = mapType(registry, "r", "OS::Heat::None");
    expect(registryBelow(registry, "r", entry)).toEqual({ Other: "o.yaml" });
  });

  it("raises the entries of this resource one level, and drops those of others", () => {
    const registry = {
      T: "t.yaml",
      resources: { "a*": { inner: { X: "x.yaml" } }, b: { inner: { X: "y.yaml" } } },
    };
    expect(registryBelow(registry, "ab", null)).toEqual({
      T: "t.yaml",
      resources: { inner: { X: "x.yaml" } },
    });
    expect(registryBelow(registry, "c", null)).toEqual({ T: "t.yaml" });
  });
});

describe("unsupportedEntry", () => {
  it("names the entry that would have no effect", () => {
    expect(unsupportedEntry({ A: "B", base_url: "file:///", resources: {} })).toBeNull();
    expect(unsupportedEntry({ resources: { r: { A: "x.yaml", deeper: { B: "y" } } } })).toBeNull();
    expect(unsupportedEntry({ resources: { r: { hooks: "pre-create" } } })).toBeNull();
    expect(unsupportedEntry({ resources: { r: { A: 5 } } })).toBe("resources");
    expect(unsupportedEntry({ A: 5 })).toBe("A");
  });
});
