import { describe, expect, it } from "vitest";
import { templateGraph } from "#lib/authoring/template-graph.ts";
import type { JsonObject } from "#lib/json.ts";
import { dotLines, mermaidLines } from "../../../apps/cli/template-graph.ts";

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
    environment_files: [],
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
