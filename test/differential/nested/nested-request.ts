import type { Json, JsonObject } from "#lib/json.ts";

const HOT = "2021-04-16";

const hot = (resources: JsonObject): JsonObject => ({ heat_template_version: HOT, resources });

const cfn = (type: Json, properties: Json): JsonObject => ({
  HeatTemplateFormatVersion: "2012-12-12",
  Resources: { r: { Type: type, Properties: properties } },
});

export const PLACES = [
  "template",
  "two templates",
  "template of CloudFormation",
  "template in a group",
  "group",
  "group in a template",
  "scaling group",
  "scaling group in a template",
  "chain in a template",
  "root",
] as const;

type Place = (typeof PLACES)[number];

interface Written {
  readonly template: JsonObject;
  readonly files?: Readonly<Record<string, JsonObject>>;
}

const group = (definition: JsonObject): JsonObject => ({
  type: "OS::Heat::ResourceGroup",
  properties: { count: 2, resource_def: definition },
});

const scalingGroup = (definition: JsonObject): JsonObject => ({
  type: "OS::Heat::AutoScalingGroup",
  properties: { min_size: 1, max_size: 2, resource: definition },
});

const below = (nested: JsonObject, owner: JsonObject = { type: "n.yaml" }): Written => ({
  template: hot({ g: owner }),
  files: { "n.yaml": nested },
});

const written = (place: Place, definition: JsonObject): Written => {
  const { type = null, properties = null } = definition;
  const alone = hot({ r: definition });
  switch (place) {
    case "template":
      return below(alone);
    case "two templates":
      return {
        template: hot({ g: { type: "m.yaml" } }),
        files: { "m.yaml": hot({ h: { type: "n.yaml" } }), "n.yaml": alone },
      };
    case "template of CloudFormation":
      return below(cfn(type, properties));
    case "template in a group":
      return below(alone, group({ type: "n.yaml" }));
    case "group":
      return { template: hot({ g: group(definition) }) };
    case "group in a template":
      return below(hot({ h: group(definition) }));
    case "scaling group":
      return { template: hot({ g: scalingGroup(definition) }) };
    case "scaling group in a template":
      return below(hot({ h: scalingGroup(definition) }));
    case "chain in a template": {
      const chain = { resources: [type], resource_properties: properties };
      return below(hot({ h: { type: "OS::Heat::ResourceChain", properties: chain } }));
    }
    case "root":
      return { template: alone };
  }
};

export const nestedRequest = (question: JsonObject): JsonObject => {
  const { place, type = null, properties = null } = question;
  const known = PLACES.find((one) => one === place) ?? "root";
  const { template, files = {} } = written(known, { type, properties });
  const texts = Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)]);
  return { stack_name: "web", template, files: Object.fromEntries(texts) };
};
