import { describe, expect, it } from "vitest";
import { placedFaults } from "../../../apps/console/src/fault-places.ts";
import { passageOf, templateText } from "../../../apps/console/src/template-text.ts";

describe("a template as text", () => {
  it.each(["resources", "Resources"])("shows where each of its %s stands", (section) => {
    const resources = {
      "8": { type: "B" },
      first: { type: "A", properties: { text: "one\n\ntwo\n", list: ["a", { b: 1 }], none: {} } },
      "a: b": { type: "C" },
    };
    const text = templateText({ version: "1", [section]: resources, outputs: { first: {} } });
    const found = Object.keys(resources).map((name) => passageOf(text, name));
    for (const passage of found) {
      expect(`${passage?.before}${passage?.lines}${passage?.after}`).toBe(text);
    }
    expect(found.map((passage) => passage?.line)).toEqual([3, 5, 16]);
    const lines = found.map((passage) => passage?.lines.split("\n") ?? []);
    expect(lines[0]).toEqual(['  "8":', "    type: B"]);
    expect(lines[1]?.at(0)).toBe("  first:");
    expect(lines[1]?.at(-1)).toBe("      none: {}");
    expect(lines[2]?.[1]).toBe("    type: C");
  });

  it("does not show what it does not define", () => {
    expect(passageOf(templateText({ resources: { a: {} } }), "b")).toBeNull();
    expect(passageOf(templateText({ outputs: { b: {} } }), "b")).toBeNull();
  });
});

describe("a fault", () => {
  const template = "resources:\n  a:\n    type: OS::Nova::Sever\n  b: {type: X}\n";

  it("stands where its words do", () => {
    const unknown = "The Resource Type (OS::Nova::Sever) could not be found.";
    expect(placedFaults(template, [unknown, "Something else."])).toEqual([
      { text: unknown, place: { line: 3, column: 5 } },
      { text: "Something else.", place: null },
    ]);
  });

  it("of a text that cannot be read has the place that it tells last", () => {
    const text =
      'while parsing\n  in "x", line 1, column 2:\nexpected\n  in "x", line 4, column 7:';
    expect(placedFaults("a: [", [text])).toEqual([{ text, place: { line: 4, column: 7 } }]);
    expect(placedFaults("- a", ["no map"])).toEqual([{ text: "no map", place: null }]);
  });
});
