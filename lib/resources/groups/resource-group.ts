import * as z from "zod/mini";
import type { BatchPolicy } from "#lib/groups/found-group.ts";
import { resourceGroupDefinition } from "#lib/groups/member-definition.ts";
import { REFS_MAP } from "#lib/groups/outputs.ts";
import { resourceGroupRecord, type WantedGroup } from "#lib/groups/resource-group-plan.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { json, jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isSet } from "#lib/resources/cloud/given-values.ts";
import type { NestedView } from "#lib/resources/nested/nested-result.ts";
import type { Arrange, Situation } from "#lib/resources/nested/nested-stack.ts";
import { nestedType } from "#lib/resources/nested/nested-type.ts";
import { emptyGroupTemplate } from "#lib/stack/record/group-template.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { foundResourceGroup } from "./found-group.ts";
import { groupAttributes } from "./group-attributes.ts";
import { presentAttributes, presentMembers } from "./present-attributes.ts";
import { readGiven } from "./read-given.ts";
import { resourceGroupSchema } from "./resource-group-schema.ts";

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
