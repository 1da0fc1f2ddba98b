import { namedAttributes, type ResourceType } from "#lib/ports/resource-type.ts";
import { anchor, block, code, GENERATED, type Page, page, sentence, table } from "./markdown.ts";
import {
  ATTRIBUTE_HEADER,
  attributeRows,
  PROPERTY_HEADER,
  propertyRows,
  supportText,
} from "./property-rows.ts";
import { exampleResources } from "./type-example.ts";
import { yamlLines } from "./yaml-text.ts";

/** For example, `OS::Neutron` gives types-os-neutron.md. */
const pageName = (namespace: string): string =>
  `types-${namespace.toLowerCase().replaceAll("::", "-")}.md`;

const namespaceOf = (type: string): string => type.split("::").slice(0, 2).join("::");

const providerText = ({ withoutProvider }: ResourceType): string =>
  withoutProvider ?? "Hearth makes such resources.";

const replacementTexts = ({ schema, lifecycle }: ResourceType): readonly string[] => {
  if (lifecycle.replacedByEveryUpdate === true) {
    return ["Every update of the stack replaces the resource."];
  }
  if (schema.mustReplace === undefined && schema.isReplacedByUpdate === undefined) return [];
  return ["Whether a change replaces the resource also depends on the values."];
};

const propertyLines = ({ schema }: ResourceType): readonly string[] => {
  const { properties, updatePolicy = {} } = schema;
  const policy = propertyRows(updatePolicy);
  return [
    ...(properties === "any"
      ? block("Every property is allowed, with any value.")
      : table(PROPERTY_HEADER, propertyRows(properties))),
    ...(policy.length === 0 ? [] : block("Its update policy may have:")),
    ...table(PROPERTY_HEADER, policy),
  ];
};

const attributeLines = ({ schema }: ResourceType): readonly string[] => [
  ...table(ATTRIBUTE_HEADER, attributeRows(namedAttributes(schema))),
  ...(schema.attributes === "any" ? block("Attributes of other names are possible.") : []),
];

const sectionOf = (type: ResourceType): readonly string[] => [
  ...block(`## ${type.type}`),
  ...block(
    sentence(type.schema.description),
    ...[supportText(type.schema.support)].filter((text) => text !== ""),
    providerText(type),
    ...replacementTexts(type),
  ),
  ...block("```yaml", ...yamlLines({ resources: exampleResources(type) }), "```"),
  ...propertyLines(type),
  ...attributeLines(type),
];

const introduction = (namespace: string): readonly string[] => [
  ...block(`# Resource types: ${namespace}`),
  ...block(...GENERATED),
  ...block(
    "[All types](README.md), and [what the columns mean](README.md#the-columns).",
    "A block of YAML has the least that such a resource needs. A test makes each of them.",
  ),
];

const namespacePage = (namespace: string, types: readonly ResourceType[]): Page => ({
  name: pageName(namespace),
  text: page([...introduction(namespace), ...types.flatMap(sectionOf)]),
});

const columnLines = (): readonly string[] =>
  table(
    ["column", "what"],
    [
      ["property", "`networks[].port` is the member `port` of each item of `networks`"],
      ["type", "what a value becomes; a text of digits is a number too"],
      ["default", "the value if none is given"],
      [
        "a change",
        "in place; replaces: a new resource takes the place of the old one; refused: the update fails",
      ],
      ["what", "what it means, and which values are allowed"],
    ],
  );

const listLines = (types: readonly ResourceType[]): readonly string[] =>
  table(
    ["type", "provider", "support"],
    types.map(({ type, withoutProvider, schema }) => [
      `[${type}](${pageName(namespaceOf(type))}#${anchor(type)})`,
      withoutProvider === undefined ? "yes" : "stubs only",
      supportText(schema.support),
    ]),
  );

const indexPage = (types: readonly ResourceType[]): Page => ({
  name: "README.md",
  text: page([
    ...block("# Reference"),
    ...block(...GENERATED),
    ...block(
      "[Functions](functions.md): each with its arguments and an example.",
      "[Commands](commands.md), [limits](limits.md), [settings](settings.md) and [alarms](alarms.md) of a deployment on AWS, and [the REST API](../api.yaml).",
      "The language itself is on [its own page](../templates.md).",
    ),
    ...block("## The columns"),
    ...columnLines(),
    ...block(
      `A rule is a check that has a name in Heat. One such as ${code("nova.flavor")} asks a cloud,`,
      "and here it accepts every text.",
    ),
    ...block("## Types"),
    ...block(
      "Stubs only: without options nothing here makes such an object. Templates are checked all the same.",
      "With `hearth stack create --stubs` an inert object stands for it.",
      "Servers, and what belongs to them, may be [machines that you have](../bring-your-templates.md)",
      "or [containers](../run-on-docker.md). They may be objects of [EC2](../run-on-aws.md)",
      "or of an [OpenStack](../run-on-openstack.md). `AWS::*` types may be [made by AWS](../run-on-aws-types.md).",
    ),
    ...listLines(types),
  ]),
});

export const typePages = (types: readonly ResourceType[]): readonly Page[] => {
  const namespaces = Map.groupBy(types, ({ type }) => namespaceOf(type));
  return [
    indexPage(types),
    ...[...namespaces].map(([namespace, some]) => namespacePage(namespace, some)),
  ];
};
