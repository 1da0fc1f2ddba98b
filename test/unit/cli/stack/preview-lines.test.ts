import { describe, expect, it } from "vitest";
import type { WireChange, WireChangedResource } from "#client/wire.ts";
import type { Json } from "#lib/json.ts";
import { hasChanges, previewLines } from "../../../../apps/cli/stack/preview-lines.ts";

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
    const lines = previewLines(
      {
        resource_changes: {
          unchanged: [
            resource("still", { visit: "none" }),
            resource("near", { visit: "reached" }),
            resource("busy", {
              visit: "reached",
              operation: { action: "UPDATE", fate: "awaited" },
            }),
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
        warnings: ["The script of drain would not run."],
      },
      80,
    );
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
      "2 checked, unchanged: near, busy",
      "1 not visited.",
      "WARNING: The script of drain would not run.",
    ]);
  });

  const updated = (name: string, before: Json, after: Json, width = 80) => {
    const properties = [{ name, before, after, unknown: false }];
    const changes = { updated: [resource("a", { properties })] };
    return previewLines({ resource_changes: changes }, width).slice(1, -1);
  };

  it("is no wider than the terminal, and shows where both values differ", () => {
    const text = (middle: string) => `${"x".repeat(300)}${middle}${"y".repeat(300)}`;
    const lines = updated("user_data", text("one"), text("two"));
    expect(lines).toEqual([
      "      user_data:",
      `            ...${"x".repeat(12)}one${"y".repeat(47)}...`,
      `         -> ...${"x".repeat(12)}two${"y".repeat(47)}...`,
    ]);
    const narrow = updated("user_data", text("one"), text("two"), 40);
    expect(Math.max(...narrow.map(({ length }) => length))).toBe(40);
    expect(narrow.join()).toMatch(/one.*two/);
  });

  it("is whole in a pipe", () => {
    const [before, after] = ["x".repeat(300), "y".repeat(300)];
    expect(updated("user_data", before, after, Number.POSITIVE_INFINITY)).toEqual([
      `      user_data: "${before}" -> "${after}"`,
    ]);
  });

  it("shows the parts of maps and lists that differ", () => {
    const before = { type: "T", properties: { size: 1, "a b": [1, { c: "x" }], gone: null } };
    const after = { type: "T", properties: { size: 2, "a b": [1, { c: "y" }], more: [] } };
    expect(updated("def", before, after)).toEqual([
      "      def.properties.size: 1 -> 2",
      '      def.properties["a b"][1].c: "x" -> "y"',
      "      def.properties.gone: null -> none",
      "      def.properties.more: none -> []",
    ]);
    expect(updated("list", [1], [1, 2])).toEqual(["      list: [1] -> [1,2]"]);
  });

  it("shows that a secret changes", () => {
    expect(updated("key", "******", "******")).toEqual(['      key: "******" -> "******"']);
  });

  it("says that nothing changes, unless something goes on", () => {
    const of = (change: Partial<WireChange>) => ({
      resource_changes: { unchanged: [resource("a", { visit: "none", ...change })] },
    });
    expect(previewLines(of({}), 80)).toEqual(["Nothing changes.", "1 not visited."]);
    expect(hasChanges(of({}))).toBe(false);
    expect(hasChanges(of({ operation: { action: "UPDATE", fate: "awaited" } }))).toBe(true);
  });

  it("tells outputs that change, also where no resource does", () => {
    const changes = {
      resource_changes: {},
      output_changes: [
        { output_key: "url", change: "updated" },
        { output_key: "old", change: "deleted" },
      ],
    };
    expect(previewLines(changes, 80)).toEqual([
      "~ updated   the output url",
      "- deleted   the output old",
      "No resource changes.",
    ]);
    expect(hasChanges(changes)).toBe(true);
  });

  it("tells parameters that change, cut to the terminal, and no value that is not there", () => {
    const changed = { change: "updated", falls_back: false };
    const changes = {
      resource_changes: {},
      parameter_changes: [
        { ...changed, parameter_name: "size", before: 8, after: 9 },
        { ...changed, parameter_name: "key", falls_back: true },
        { ...changed, parameter_name: "fresh", change: "added", after: "x" },
        {
          ...changed,
          parameter_name: "text",
          before: "a".repeat(60),
          after: "b",
          falls_back: true,
        },
      ],
    };
    expect(previewLines(changes, 60)).toEqual([
      "~ updated   the parameter size: 8 -> 9",
      "~ updated   the parameter key (its default)",
      '+ added     the parameter fresh: none -> "x"',
      "~ updated   the parameter text (its default)",
      "      text:",
      `            "${"a".repeat(44)}...`,
      '         -> "b"',
      "No resource changes.",
    ]);
    expect(hasChanges(changes)).toBe(true);
  });

  it("counts an updated nested stack in which nothing changes among those looked at", () => {
    const changes = { resource_changes: { updated: [resource("group", { visit: "reached" })] } };
    expect(previewLines(changes, 80)).toEqual(["Nothing changes.", "1 checked, unchanged: group"]);
    expect(hasChanges(changes)).toBe(false);
  });
});
