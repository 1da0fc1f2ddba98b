import { describe, expect, it } from "vitest";
import { svgLines } from "../../../apps/cli/graph-svg.ts";

const node = (name: string, ...requires: readonly string[]) => ({ name, type: "T", requires });

const boxesIn = (lines: readonly string[]): ReadonlyMap<string, { x: number; y: number }> => {
  const text = lines.join("\n");
  const found = text.matchAll(
    /<rect x="(\d+)" y="(\d+)"[^>]*>\n {2}<text [^>]*font-weight="bold">([^<]*)</g,
  );
  return new Map([...found].map(([, x, y, name = ""]) => [name, { x: Number(x), y: Number(y) }]));
};

describe("the picture", () => {
  it("has what a resource waits for on its left, whatever the order of the nodes", () => {
    const nodes = [node("c", "b", "a"), node("b", "a"), node("a"), node("d", "c")];
    const boxes = boxesIn(svgLines(nodes));
    const xs = ["a", "b", "c", "d"].map((name) => boxes.get(name)?.x ?? Number.NaN);
    expect(xs).toEqual(xs.toSorted((one, other) => one - other));
    expect(new Set(xs).size).toBe(4);
    expect(svgLines(nodes).filter((line) => line.includes("marker-end")).length).toBe(4);
  });

  it("has no two boxes at one place, and orders a layer by what it waits for", () => {
    const nodes = [node("a"), node("b"), node("of b", "b"), node("of a", "a")];
    const boxes = boxesIn(svgLines(nodes));
    expect(new Set([...boxes.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
    expect(boxes.get("of a")?.y).toBeLessThan(boxes.get("of b")?.y ?? 0);
  });

  it("is XML whatever the names are", () => {
    const text = svgLines([{ name: 'a<b>&"\n', type: "T", requires: [] }]).join("\n");
    expect(text).toContain('a&lt;b&gt;&amp;" <');
  });

  it("of a chain of 2,000 resources is made", () => {
    const chain = Array.from({ length: 2_000 }, (_, at) =>
      node(`n${at}`, ...(at === 1_999 ? [] : [`n${at + 1}`])),
    );
    expect(boxesIn(svgLines(chain)).size).toBe(2_000);
  });

  it("of an empty template has no box", () => {
    expect(boxesIn(svgLines([])).size).toBe(0);
  });
});
