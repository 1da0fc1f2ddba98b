import * as z from "zod/mini";
import { chainMembers } from "#lib/groups/member-definition.ts";
import { checkSize } from "#lib/groups/names.ts";
import { AT_ONCE, groupRecord, membersOf } from "#lib/groups/record.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import type { GroupRecord } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import type { NestedView } from "#lib/resources/nested/nested-result.ts";
import { nestedType } from "#lib/resources/nested/nested-type.ts";
import { emptyGroupTemplate } from "#lib/stack/record/group-template.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { reads } from "../given-values.ts";
import { serves } from "./found-group.ts";
import { groupAttributes, presentAttributes, presentMembers } from "./group-attributes.ts";
import { readGiven } from "./group-checks.ts";

const resourceChainSchema: ResourceSchema = {
  description:
    "A list of members of different types with the same properties, made one after another or together.",
  support: { since: "6.0.0" },
  properties: {
    resources: {
      type: "list",
      description:
        "The types of the members, in order. Names from the environment's registry are allowed; files are not.",
      required: true,
      updateAllowed: true,
    },
    concurrent: {
      type: "boolean",
      description:
        "Whether the members are made together. Otherwise each waits for the one before it.",
      default: false,
    },
    resource_properties: { type: "map", description: "The properties that every member gets." },
  },
  validate: (given) => reads(given, "resources"),
  attributes: "any",
  commonAttributes: {
    refs: { description: "The IDs of the members.", type: "list" },
    attributes: {
      description: "A given attribute of every member, by the names of the members.",
      type: "map",
    },
  },
};

const givenSchema = z.object({
  // No property schema describes the list. A value that is not a text is converted to one, as in
  // Heat.
  resources: z.array(
    z.pipe(
      json,
      z.transform((type) => (typeof type === "string" ? type : pythonText(type))),
    ),
  ),
  concurrent: z.boolean(),
  resource_properties: z.nullish(jsonObject),
});

const recordOf = (types: readonly string[], properties: JsonObject | null): GroupRecord => {
  checkSize(types.length);
  return groupRecord({
    definition: null,
    members: chainMembers({ types, properties: properties ?? undefined }),
    skip: [],
    size: types.length,
    cooldownMs: 0,
    cooldownEnd: 0,
    ...AT_ONCE,
  });
};

const nests: Nests = {
  placeName: "nested_stack",
  checksUnknown: true,
  tellsUnknownTypesAlone: true,
  read: async (_typeName, properties, _files, { referenced }) => {
    const { resources, concurrent, resource_properties } = readGiven(givenSchema, properties);
    return {
      template: emptyGroupTemplate("chain"),
      parameters: {},
      group: {
        kind: "chain",
        record: recordOf(resources, resource_properties ?? null),
        isSequence: !concurrent,
        referenced: referenced(),
      },
    };
  },
  snippet: () => null,
};

const refsIn = async (
  engine: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  names: readonly string[],
): Promise<Json> =>
  resolveInStack(
    engine,
    stack,
    loaded,
    (scope) => names.map((name): Json => scope.resource(name)?.refId ?? null),
    { isRead: serves },
  );

const view: NestedView = async ({ resourceName: name }, engine, { stack, outputs, errors }) => {
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const { group } = loaded.source;
  const names = group === undefined ? [] : membersOf(group.record).map(({ name }) => name);
  const refs = await refsIn(engine, stack, loaded, names);
  return { attributes: groupAttributes({ name, group, outputs, errors }, { refs }) };
};

const present = async (engine: Ports, stack: Stack): Promise<JsonObject | null> => {
  const found = await presentMembers(engine, stack);
  if (found === null) return null;
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  return groupAttributes(found, { refs: await refsIn(engine, stack, loaded, found.serving) });
};

export const resourceChain = (engine: Ports): ResourceType => ({
  ...nestedType(engine, nests, view),
  presentAttributes: presentAttributes(engine, present),
  type: "OS::Heat::ResourceChain",
  schema: resourceChainSchema,
});
