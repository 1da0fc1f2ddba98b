import { describe, expect, it } from "vitest";
import type { WireChange, WireChangedResource } from "#client/wire.ts";
import { hasChanges, previewLines } from "../../../cli/preview-lines.ts";

const CHANGE: WireChange = {
  properties: [],
  reason: null,
  operation: null,
  visit: "changed",
  keeps_object: false,
};

const resource = (name: string, change: Partial<WireChange>): WireChangedResource => ({
  resource_name: name,
  resource_type: "OS::Nova::Server",
  change: { ...CHANGE, ...change },
});

describe("the preview of an update for people", () => {
  it("shows properties, reasons and what goes on, and counts what stays", () => {
    const lines = previewLines({
      resource_changes: {
        unchanged: [
          resource("still", { visit: "none" }),
          resource("near", { visit: "reached" }),
          resource("busy", { visit: "reached", operation: { action: "UPDATE", fate: "awaited" } }),
        ],
        replaced: [
          resource("web", {
            reason: "image cannot change in place",
            operation: { action: "CREATE", fate: "interrupted" },
            properties: [
              { name: "image", before: "a", after: "b", unknown: false },
              { name: "net", before: "n1", after: null, unknown: true },
            ],
          }),
        ],
        deleted: [resource("old", { keeps_object: true })],
      },
    });
    expect(lines).toEqual([
      "± replaced  web  OS::Nova::Server",
      "      because image cannot change in place",
      "      interrupts its CREATE, which goes on",
      '      image: "a" -> "b"',
      '      net: "n1" -> known after the update',
      "- deleted   old  OS::Nova::Server",
      "      its object stays",
      "  unchanged busy  OS::Nova::Server",
      "      waits for its UPDATE, which goes on",
      "1 replaced, 1 deleted.",
      "2 only looked at: near, busy",
      "1 not looked at.",
    ]);
  });

  it("has at most 80 columns, and shows both values", () => {
    const long = { name: "user_data", before: "x".repeat(300), after: "y".repeat(300) };
    const changes = { updated: [resource("a", { properties: [{ ...long, unknown: false }] })] };
    const lines = previewLines({ resource_changes: changes });
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(/x\.\.\. -> "y+\.\.\.$/);
  });

  it("says that nothing changes, unless something goes on", () => {
    const of = (change: Partial<WireChange>) => ({
      resource_changes: { unchanged: [resource("a", { visit: "none", ...change })] },
    });
    expect(previewLines(of({}))).toEqual(["Nothing changes.", "1 not looked at."]);
    expect(hasChanges(of({}))).toBe(false);
    expect(hasChanges(of({ operation: { action: "UPDATE", fate: "awaited" } }))).toBe(true);
  });

  it("counts an updated nested stack in which nothing changes among those looked at", () => {
    const changes = { resource_changes: { updated: [resource("group", { visit: "reached" })] } };
    expect(previewLines(changes)).toEqual(["Nothing changes.", "1 only looked at: group"]);
    expect(hasChanges(changes)).toBe(false);
  });
});
