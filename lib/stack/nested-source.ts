/**
 * The target of a nested stack, derived from its parent's template record. Its parameters come from
 * the resource's properties alone. The parent passes on its files and the rest of the environment.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { GroupKind } from "#lib/model/group-record.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import { formatOf } from "#lib/template/format.ts";
import { receivesHidden, showsHidden } from "#lib/template/hidden-references.ts";
import { member } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { isSecretQuote } from "#lib/template/quoted.ts";
import { mapType, registryBelow } from "#lib/template/registry.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { isCfn } from "#lib/template/versions.ts";
import { referencedAttributes } from "./referenced-attributes.ts";
import type { LoadedTemplate, TemplateSource } from "./template-record.ts";

export interface NestedTarget {
  readonly source: TemplateSource;
  readonly timeoutMins: number | null;
}

export const nestedTarget = async (
  above: Pick<LoadedTemplate, "source" | "template" | "parameters">,
  definition: ResourceDefinition,
  nests: Nests,
  properties: JsonObject,
): Promise<NestedTarget> => {
  const { source, template } = above;
  const { resourceRegistry, parameterDefaults } = source.environment;
  const { type, entry } = mapType(resourceRegistry, definition.name, definition.type);
  const below = await nests.read(type, properties, source.files, {
    resourceName: definition.name,
    referenced: () => referencedAttributes(above, definition.name),
  });
  // What a group passes to a member with a secret is hidden as a whole. As in Heat, a value that
  // comes through another resource is hidden only if the nested template says so.
  const isSecret = (parameter: string): boolean =>
    isSecretQuote(definition.properties) ||
    showsHidden(template, nests.snippet(definition.properties, parameter));
  // The members of an instance group are made of its launch configuration, and get the metadata of
  // that resource.
  const madeOf = (kind: GroupKind): readonly JsonObject[] => [
    definition.properties,
    ...(kind === "instance group" ? definition.requires : [])
      .flatMap((name) => template.resources.get(name) ?? [])
      .flatMap(({ properties: given, metadata }) => [given, metadata]),
  ];
  const isSecretGroup = (kind: GroupKind): boolean =>
    madeOf(kind).some((given) => receivesHidden(template, given));
  return {
    source: {
      template: hideParameters(below.template, isSecret),
      files: source.files,
      environment: {
        parameters: below.parameters,
        parameterDefaults,
        resourceRegistry: withMembers(
          registryBelow(resourceRegistry, definition.name, entry),
          nests.memberType,
        ),
      },
      ...(below.sharesValues === true ? { sharesValues: true } : {}),
      ...(below.group === undefined
        ? {}
        : { group: { ...below.group, isSecret: isSecretGroup(below.group.kind) } }),
    },
    timeoutMins: below.timeoutMins ?? null,
  };
};

const withMembers = (registry: JsonObject, members: Nests["memberType"]): JsonObject =>
  members === undefined || mapType(registry, "", members.name).type !== members.name
    ? registry
    : mergedMaps<Json>(registry, { [members.name]: members.standsFor });

/**
 * A parameter that receives a hidden value is hidden too, or the nested stack would show the value.
 */
const hideParameters = (
  template: JsonObject,
  isSecret: (parameter: string) => boolean,
): JsonObject => {
  const { version } = parseTemplate(template);
  const section = formatOf(version).sections.parameters;
  const mark = isCfn(version) ? { NoEcho: true } : { hidden: true };
  const parameters = member(template, section) ?? null;
  if (!isJsonObject(parameters)) return template;
  const hidden = Object.entries(parameters).map(([name, schema]): [string, Json] => [
    name,
    isJsonObject(schema) && isSecret(name) ? mergedMaps<Json>(schema, mark) : schema,
  ]);
  return mergedMaps(template, { [section]: mapOf(hidden) });
};
