import { describe, expect, it } from "vitest";
import { mapType, registryBelow, unsupportedEntry } from "#lib/template/registry.ts";

describe("mapType", () => {
  it("follows mappings to a built-in type or a template, and leaves what is not mapped", () => {
    const registry = { "My::A": "My::B", "My::B": "OS::Heat::None", "My::T": "t.yaml" };
    expect(mapType(registry, "r", "My::A")).toEqual({ type: "OS::Heat::None", entry: null });
    expect(mapType(registry, "r", "My::T")).toEqual({ type: "t.yaml", entry: ["My::T"] });
    expect(mapType(registry, "r", "Other")).toEqual({ type: "Other", entry: null });
  });

  it("takes an exact type before a wildcard, the longer wildcard first, and carries the rest over", () => {
    const registry = { "My::*": "Far::*", "My::Own::*": "near.yaml", "My::Own::X": "x.yaml" };
    expect(mapType(registry, "r", "My::Own::X").type).toBe("x.yaml");
    expect(mapType(registry, "r", "My::Own::Y").type).toBe("near.yaml");
    expect(mapType(registry, "r", "My::Z").type).toBe("Far::Z");
  });

  it("takes what is said of the resource by its name first", () => {
    const registry = {
      "My::T": "general.yaml",
      resources: { "web_*": { "My::T": "web.yaml" }, web_1: { "My::T": "first.yaml" } },
    };
    expect(mapType(registry, "web_1", "My::T").type).toBe("first.yaml");
    expect(mapType(registry, "web_2", "My::T").type).toBe("web.yaml");
    expect(mapType(registry, "db", "My::T").type).toBe("general.yaml");
  });

  it("leads nowhere in a circle, and a type that is mapped to itself or to nothing stands for itself", () => {
    expect(mapType({ A: "B", B: "A" }, "r", "A").type).toBe("A");
    expect(mapType({ A: "A" }, "r", "A").type).toBe("A");
    expect(mapType({ A: null }, "r", "A").type).toBe("A");
  });
});

describe("registryBelow", () => {
  it("leaves out the entry that led there, so that a template can stand in for a type that it uses", () => {
    const registry = { "OS::Heat::None": "none.yaml", Other: "o.yaml" };
    const { entry } = mapType(registry, "r", "OS::Heat::None");
    expect(registryBelow(registry, "r", entry)).toEqual({ Other: "o.yaml" });
  });

  it("takes what is said under the resource's name one level in, and drops what is said of others", () => {
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
  it("names what would have no effect", () => {
    expect(unsupportedEntry({ A: "B", base_url: "file:///", resources: {} })).toBeNull();
    expect(unsupportedEntry({ resources: { r: { A: "x.yaml", deeper: { B: "y" } } } })).toBeNull();
    expect(unsupportedEntry({ resources: { r: { hooks: "pre-create" } } })).toBe("resources");
    expect(unsupportedEntry({ A: 5 })).toBe("A");
  });
});
