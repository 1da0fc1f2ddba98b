import { describe, expect, it } from "vitest";
import { openClient } from "#client/client.ts";
import { openPageApi } from "../../../apps/console/playground/page-api.ts";
import { PAGE_URL } from "../../../apps/console/playground/page-engine.ts";
import { preview } from "../../../apps/console/src/draft.ts";
import { foreseenGraph } from "../../../apps/console/src/foreseen.ts";

const fetch = openPageApi(Date.now, (error) => {
  throw error;
});
const client = openClient({ endpoint: PAGE_URL, project: "p", fetch });

const member = { type: "Hearth::Test::Scenario" };
const inner = { type: "OS::Heat::ResourceGroup", properties: { count: 2, resource_def: member } };
const outer = { type: "OS::Heat::ResourceGroup", properties: { count: 1, resource_def: inner } };
const TEMPLATE = JSON.stringify({
  heat_template_version: "2018-08-31",
  resources: {
    before: member,
    group: { ...inner, depends_on: ["before"] },
    behind: { ...member, depends_on: ["group"] },
    nest: outer,
  },
});

describe("the preview of a create", () => {
  it("has the resources that nest a stack, around what they nest", async () => {
    const draft = { name: "new", template: TEMPLATE, parameters: new Map() };
    const { changes, warnings } = await preview(client, null, draft);
    expect(warnings).toEqual([]);
    const graph = foreseenGraph(changes);
    expect([...graph.keys()].filter((id) => !id.startsWith("nest"))).toEqual([
      "before",
      "group",
      "group/0",
      "group/1",
      "behind",
    ]);
    expect(graph.get("group")).toMatchObject({
      type: "OS::Heat::ResourceGroup",
      requires: ["before"],
      requiredBy: ["behind"],
      fold: { isOpen: true, counts: new Map([["good", 2]]) },
    });
    expect(graph.get("group/0")).toMatchObject({ name: "0", parent: "group", fold: null });
    const nested = [...graph.values()].flatMap(({ id, parent }) =>
      id.startsWith("nest") ? [[id, parent]] : [],
    );
    expect(nested).toEqual([
      ["nest", null],
      ["nest/0", "nest"],
      ["nest/0/0", "nest/0"],
      ["nest/0/1", "nest/0"],
    ]);
  });
});
