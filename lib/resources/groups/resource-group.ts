import * as z from "zod/mini";
import type { BatchPolicy } from "#lib/groups/found-group.ts";
import { resourceGroupDefinition } from "#lib/groups/member-definition.ts";
import { REFS_MAP } from "#lib/groups/outputs.ts";
import { resourceGroupRecord, type WantedGroup } from "#lib/groups/resource-group-plan.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { json, jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { emptyGroupTemplate } from "#lib/stack/record/group-template.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { isSet, reads } from "../given-values.ts";
import type { NestedView } from "../nested/nested-result.ts";
import type { Arrange, Situation } from "../nested/nested-stack.ts";
import { nestedType } from "../nested/nested-type.ts";
import { CREATING, ROLLING } from "./batches.ts";
import { foundResourceGroup } from "./found-group.ts";
import { groupAttributes, presentAttributes, presentMembers } from "./group-attributes.ts";
import { readGiven } from "./group-checks.ts";

const hasProperties = (definition: Json | undefined): boolean =>
  isJsonObject(definition) && isSet(definition, "properties");

const resourceGroupSchema: ResourceSchema = {
  description: "A fixed number of like members. Their properties can differ by their index.",
  support: { since: "2014.1" },
  properties: {
    count: {
      type: "integer",
      description: "How many members the group has.",
      default: 1,
      updateAllowed: true,
      constraints: [{ range: { min: 0 } }],
    },
    index_var: {
      type: "string",
      description:
        "The text that stands for a member's index in its properties. It can give each member its own name.",
      default: "%index%",
      support: { since: "2014.2" },
      constraints: [{ length: { min: 3 } }],
    },
    resource_def: {
      type: "map",
      description: "The definition of a member, written as in a template.",
      required: true,
      updateAllowed: true,
      schema: {
        type: { type: "string", description: "The type of the members.", required: true },
        properties: { type: "map", description: "The properties of the members." },
        metadata: {
          type: "map",
          description: "The metadata of the members.",
          support: { since: "5.0.0" },
        },
      },
    },
    removal_policies: {
      type: "list",
      description: "Which members an update removes first.",
      default: [],
      updateAllowed: true,
      support: { since: "2015.1" },
      items: {
        type: "map",
        description: "A choice of members that an update removes.",
        schema: {
          resource_list: {
            type: "list",
            description:
              "Names or IDs of members to remove, even if the count stays the same. Their names are never used again.",
            default: [],
          },
        },
      },
    },
    removal_policies_mode: {
      type: "string",
      description: "Whether new removal policies add to the earlier ones or replace them.",
      default: "append",
      updateAllowed: true,
      support: { since: "10.0.0" },
      constraints: [{ allowedValues: ["append", "update"] }],
    },
  },
  attributes: "any",
  commonAttributes: {
    refs: { description: "The IDs of the members.", type: "list" },
    refs_map: {
      description: "The IDs of the members, by their names.",
      type: "map",
      support: { since: "7.0.0" },
    },
    attributes: {
      description: "A given attribute of every member, by the names of the members.",
      type: "map",
      support: { since: "2014.2" },
    },
    removed_rsrc_list: {
      description: "The names of the members that removal policies have removed.",
      type: "list",
      support: { since: "7.0.0" },
    },
  },
  validate: (given) => {
    // As in Heat, a group without members is not checked.
    if (!isSet(given, "count")) return null;
    reads(given, "removal_policies");
    return hasProperties(given["resource_def"]) ? reads(given, "index_var") : null;
  },
  updatePolicy: {
    rolling_update: { type: "map", support: { since: "5.0.0" }, schema: ROLLING },
    batch_create: { type: "map", support: { since: "5.0.0" }, schema: CREATING },
  },
};

const SECOND_MS = 1_000;

const givenSchema = z.object({
  count: plainNumber,
  index_var: z.string(),
  resource_def: jsonObject,
  removal_policies: json,
  removal_policies_mode: z.enum(["append", "update"]),
});

const policySchema = z.object({
  max_batch_size: plainNumber,
  min_in_service: z.optional(plainNumber),
  pause_time: plainNumber,
});

const batchPolicy = (policies: JsonObject, name: string): BatchPolicy | null => {
  const given = policies[name];
  if (given === undefined) return null;
  const { max_batch_size, min_in_service = 0, pause_time } = readGiven(policySchema, given);
  return {
    maxBatchSize: max_batch_size,
    minInService: min_in_service,
    pauseSeconds: pause_time,
  };
};

interface Planned {
  readonly turn: string;
  readonly secondsLeft: number;
  readonly policies: JsonObject;
}

const wantedGroup = (
  properties: JsonObject,
  { turn, secondsLeft, policies }: Planned,
): WantedGroup => {
  const given = readGiven(givenSchema, properties);
  return {
    count: given.count,
    definition: resourceGroupDefinition(given.resource_def, given.index_var),
    removalPolicies: given.removal_policies,
    removalMode: given.removal_policies_mode,
    batchCreate: batchPolicy(policies, "batch_create"),
    rollingUpdate: batchPolicy(policies, "rolling_update"),
    turn,
    secondsLeft,
  };
};

/** As in Heat, nothing else is checked in a group without members. */
const NO_MEMBERS: JsonObject = {
  count: 0,
  index_var: "",
  resource_def: {},
  removal_policies: [],
  removal_policies_mode: "append",
};

const AT_ONCE: Planned = { turn: "", secondsLeft: Number.POSITIVE_INFINITY, policies: {} };

const nestsWith = (engine: Ports): Nests => ({
  placeName: "nested_stack",
  checksUnknown: true,
  tellsUnknownTypesAlone: true,
  readLater: ["index_var", "removal_policies_mode"],
  read: async (_typeName, given, _files, { referenced }) => ({
    template: emptyGroupTemplate("resource group"),
    parameters: {},
    group: {
      kind: "resource group",
      record: resourceGroupRecord(
        wantedGroup(isSet(given, "count") ? given : NO_MEMBERS, AT_ONCE),
        null,
      ),
      isSequence: false,
      referenced: referenced(),
    },
  }),
  membersAfter: async (group, { call, former, below, isSettled }) => {
    const here = { former: former === null ? null : { group: former }, below, isSettled };
    const found = await foundResourceGroup(engine, here);
    return { ...group, record: resourceGroupRecord(wantedGroup(call.properties, AT_ONCE), found) };
  },
  snippet: () => null,
});

const plannedIn = ({ call, policy, now }: Situation): Planned => ({
  turn: call.token,
  secondsLeft: (call.deadline - now) / SECOND_MS,
  policies: call.action === "ADOPT" ? {} : policy,
});

const arrange =
  (engine: Ports): Arrange =>
  async (source, situation) => {
    const { group } = source;
    if (group === undefined) return source;
    const found = await foundResourceGroup(engine, situation);
    const wanted = wantedGroup(situation.call.properties, plannedIn(situation));
    return { ...source, group: { ...group, record: resourceGroupRecord(wanted, found) } };
  };

const view: NestedView = async ({ resourceName: name }, engine, { stack, outputs, errors }) => {
  const { source } = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  return {
    attributes: groupAttributes(
      { name, group: source.group, outputs, errors },
      { removed_rsrc_list: source.group?.record.skip ?? [] },
    ),
  };
};

const present = async (engine: Ports, stack: Stack): Promise<JsonObject | null> => {
  const found = await presentMembers(engine, stack);
  return found === null
    ? null
    : groupAttributes(found, { removed_rsrc_list: found.group.record.skip });
};

const refsOf = (stored: JsonObject): Json =>
  stored["refs"] ?? Object.values(z.nullish(jsonObject).parse(stored[REFS_MAP]) ?? {});

export const resourceGroup = (engine: Ports): ResourceType => ({
  ...nestedType(engine, nestsWith(engine), view, arrange(engine)),
  presentAttributes: presentAttributes(engine, present),
  type: "OS::Heat::ResourceGroup",
  schema: {
    ...resourceGroupSchema,
    attribute: (stored, name) => (name === "refs" ? refsOf(stored) : undefined),
  },
});
