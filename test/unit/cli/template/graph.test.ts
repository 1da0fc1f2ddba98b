import { describe, expect, it } from "vitest";
import { templateGraph } from "#lib/authoring/template-graph.ts";
import type { JsonObject } from "#lib/json.ts";
import { dotLines, mermaidLines, svgLines } from "../../../../apps/cli/template/graph.ts";

const template: JsonObject = {
  heat_template_version: "2021-04-16",
  parameters: { replicated: { type: "boolean" }, unused: { type: "string" } },
  conditions: { wanted: { get_param: "replicated" } },
  resources: {
    primary: { type: "My::Unknown::Type" },
    replica: { type: "B", condition: "wanted", depends_on: "primary" },
    user: { type: "C", properties: { p: { get_attr: ["primary", "x"] } } },
  },
};

const graphOf = (replicated: string) =>
  templateGraph({
    template,
    files: {},
    environment: {},
    environmentFiles: [],
    parameters: { replicated },
  });

describe("the graph of a template", () => {
  it("has the resources whose conditions are true, of any type", async () => {
    const without = await graphOf("no");
    expect(without.map(({ name }) => name)).toEqual(["primary", "user"]);
    const nodes = await graphOf("yes");
    expect(nodes[1]).toEqual({ name: "replica", type: "B", requires: ["primary"] });
  });

  it("lets no name control a terminal", () => {
    const [, , , node] = dotLines([{ name: "a\u001b[2J", type: "A\nB", requires: [] }]);
    expect(node).toBe('  "a [2J" [label="a [2J\\nA\\nB"];');
  });

  it("is drawn for graphviz", async () => {
    expect(dotLines(await graphOf("no"))).toEqual([
      "digraph template {",
      "  rankdir=RL;",
      "  node [shape=box];",
      '  "primary" [label="primary\\nMy::Unknown::Type"];',
      '  "user" [label="user\\nC"];',
      '  "user" -> "primary";',
      "}",
    ]);
  });

  it("is drawn for mermaid", async () => {
    expect(mermaidLines(await graphOf("no"))).toEqual([
      "flowchart RL",
      '  n0["primary<br/>My::Unknown::Type"]',
      '  n1["user<br/>C"]',
      "  n1 --> n0",
    ]);
  });

  it("shows hostile names as text", () => {
    const nodes = [{ name: 'a"]; click b\n', type: "<b>\\", requires: [] }];
    expect(dotLines(nodes)[3]).toBe('  "a\\"]; click b\\n" [label="a\\"]; click b\\n\\n<b>\\\\"];');
    expect(mermaidLines(nodes)[1]).toBe('  n0["a#34;#93;#59; click b#10;<br/>#60;b#62;#92;"]');
  });
});

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
