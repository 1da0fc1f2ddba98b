/**
 * Groups of deployments: a nested stack with one deployment per server. All values are passed as
 * parameters, so a value that looks like a function of the template language is not evaluated.
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { checkPauses, inBatches } from "#lib/groups/batches.ts";
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEquals,
  mapOf,
  mergedMaps,
} from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AttributeSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { openReference } from "#lib/stack/record/reference.ts";
import { loadTemplate, type TemplateSource } from "#lib/stack/record/template-record.ts";
import { standingRows } from "#lib/stack/standing-rows.ts";
import { isJsonArray, member, sectionOf } from "#lib/template/json-shape.ts";
import { isSet, reads } from "../given-values.ts";
import { BATCH_POLICIES, policyFor, withBarriers } from "../groups/batches.ts";
import type { NestedView } from "../nested/nested-result.ts";
import type { Arrange, Situation } from "../nested/nested-stack.ts";
import { nestedType } from "../nested/nested-type.ts";
import { deploymentProperties, structuredProperties } from "./software-deployment.ts";

const SERVERS = "servers";

const servers: PropertySchemas = {
  [SERVERS]: {
    type: "map",
    description: "The ids of the servers, by the names of their deployments.",
    required: true,
    updateAllowed: true,
  },
};

const parameterType = (value: Json): string => {
  if (isJsonArray(value)) return "comma_delimited_list";
  if (isJsonObject(value)) return "json";
  return isJsonNumber(value) ? "number" : "string";
};

const memberNames = (given: JsonObject): readonly string[] =>
  Object.keys(sectionOf(given, SERVERS));

const memberTemplate = (memberType: string, given: JsonObject): JsonObject => {
  const parameters = Object.entries(given).map(([name, value]): [string, Json] => [
    name,
    { type: parameterType(value) },
  ]);
  const shared = Object.keys(given).filter((name) => name !== SERVERS);
  const common = mapOf(shared.map((name) => [name, { get_param: name }]));
  const resources = memberNames(given).map((name): [string, Json] => [
    name,
    {
      type: memberType,
      properties: mergedMaps<Json>(common, { server: { get_param: [SERVERS, name] } }),
    },
  ]);
  return {
    heat_template_version: "2016-10-14",
    parameters: mapOf(parameters),
    resources: mapOf(resources),
  };
};

const nestsOf = (memberType: string): Nests => ({
  read: async (_typeName, given) => ({
    template: memberTemplate(memberType, given),
    parameters: given,
    sharesValues: true,
  }),
  snippet: (given, parameter) => member(given, parameter) ?? null,
});

const SECOND_MS = 1_000;

const arrange: Arrange = (source, situation) => {
  const { call, now } = situation;
  const policy = policyFor(situation.policy, call.action);
  if (policy === null) return source;
  const batches = inBatches(inTurn(source, situation), policy.max_batch_size);
  checkPauses(batches.length, policy.pause_time, (call.deadline - now) / SECOND_MS);
  return { ...source, template: withBarriers(source.template, batches, policy, call.token) };
};

/**
 * Heat's order: new members first, then changed members from the last to the first. After a failed
 * or overtaken update every member counts as changed, because only its visit can tell. A visit with
 * nothing to do takes no time in its batch.
 */
const inTurn = (source: TemplateSource, { former, isSettled }: Situation): readonly string[] => {
  const names = memberNames(source.environment.parameters);
  if (former === null) return names;
  const isOld = (name: string): boolean =>
    Object.hasOwn(sectionOf(former.template, "resources"), name);
  const isChanged = (name: string): boolean =>
    !isSettled || !jsonEquals(memberOf(former, name), memberOf(source, name));
  const changed = names.filter((name) => isOld(name) && isChanged(name));
  return [...names.filter((name) => !isOld(name)), ...changed.reverse()];
};

const memberOf = (source: TemplateSource, name: string): JsonObject => {
  const { type = null, properties = null } = sectionOf(source.template, "resources", name);
  const { parameters } = source.environment;
  const server = member(sectionOf(parameters, SERVERS), name) ?? null;
  return { type, properties, parameters: mergedMaps(parameters, { [SERVERS]: server }) };
};

const PLURALS: Readonly<Record<string, string>> = {
  deploy_stdouts: "deploy_stdout",
  deploy_stderrs: "deploy_stderr",
  deploy_status_codes: "deploy_status_code",
};

const view: NestedView = async (_call, engine, { stack }) => {
  const rows = await standingRows(engine, stack);
  const { template } = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const names = new Set([...template.resources.keys(), ...rows.keys()]);
  const deployments = [...names].flatMap((name): [string, Resource][] => {
    const row = rows.get(name);
    return row === undefined || row.type === BARRIER_TYPE ? [] : [[name, row]];
  });
  // The number of parallel reads is limited, because each may load a template record.
  const members = await inParallel(
    deployments.map(([name, row]) => async () => {
      await pauseIfDue(engine);
      return { name, values: (await openReference(engine, row)).attributes };
    }),
  );
  const ofAll = (attribute: string): JsonObject =>
    mapOf(members.map(({ name, values }) => [name, member(values, attribute) ?? null]));
  const attributes = new Set(members.flatMap(({ values }) => Object.keys(values)));
  return {
    attributes: mapOf([
      ...[...attributes].map((name) => [name, ofAll(name)] as const),
      ...Object.entries(PLURALS).map(([plural, name]) => [plural, ofAll(name)] as const),
    ]),
  };
};

const SOFTWARE = "OS::Heat::SoftwareDeployment";
const STRUCTURED = "OS::Heat::StructuredDeployment";

const RESULTS: Readonly<Record<string, AttributeSchema>> = {
  deploy_stdouts: { description: "What each deployment printed.", type: "map" },
  deploy_stderrs: { description: "The errors that each deployment printed.", type: "map" },
  deploy_status_codes: { description: "The exit code of each deployment.", type: "map" },
};

const groupType = (
  engine: Ports,
  type: string,
  memberType: string,
  properties: PropertySchemas,
): ResourceType => ({
  ...nestedType(engine, nestsOf(memberType), view, arrange),
  type,
  schema: {
    description: "Deploys one configuration to several servers.",
    properties: { ...servers, ...properties },
    updatePolicy: BATCH_POLICIES,
    support: { since: "5.0.0" },
    attributes: "any",
    commonAttributes: RESULTS,
    validate: (given) => (isSet(given, SERVERS) ? reads(given, ...Object.keys(properties)) : null),
  },
});

const underOldName = (group: ResourceType, type: string): ResourceType => ({
  ...group,
  type,
  schema: {
    ...group.schema,
    support: {
      status: "HIDDEN",
      since: "7.0.0",
      message: `Please use ${group.type} instead.`,
      previous: { status: "DEPRECATED", since: "2014.2" },
    },
  },
});

export const deploymentGroups = (engine: Ports): readonly ResourceType[] => {
  const software = groupType(
    engine,
    "OS::Heat::SoftwareDeploymentGroup",
    SOFTWARE,
    deploymentProperties,
  );
  const structured = groupType(engine, "OS::Heat::StructuredDeploymentGroup", STRUCTURED, {
    ...deploymentProperties,
    ...structuredProperties,
  });
  return [
    software,
    underOldName(software, "OS::Heat::SoftwareDeployments"),
    structured,
    underOldName(structured, "OS::Heat::StructuredDeployments"),
  ];
};
