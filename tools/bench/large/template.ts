/** A large stack: groups of six resources that refer to each other, in four versions. */
import type { Json, JsonObject } from "#lib/json.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";
import { type Graph, graphOf, templateOf } from "../cost/graphs.ts";

export const largeGraph = (resources: number): Graph => graphOf("servers", resources);

export const largeTemplate = (
  graph: Graph,
  version: number,
  changed: ReadonlySet<string>,
): TemplateSource => {
  const source = templateOf(graph);
  const resources = Object.entries(graph).map(([name, requires]): [string, Json] => {
    const inputs = requires.map((other, at) => [`input_${at}`, { get_resource: other }] as const);
    const properties: JsonObject = {
      flavor: "m1.small",
      description: `the ${name} of a large stack`,
      version: changed.has(name) ? version : 0,
      ...Object.fromEntries(inputs),
    };
    return [name, { type: "Hearth::Test::Scenario", properties }];
  });
  return { ...source, template: { ...source.template, resources: Object.fromEntries(resources) } };
};
