/**
 * Groups: one deployment for each of several servers, in a stack of their own. All values go down as parameters,
 * so that nothing a user or another resource has made is taken for a template's function.
 */
import { isJsonObject, type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { BARRIER_TYPE } from "#lib/resources/groups/barrier.ts";
import {
  BATCH_POLICIES,
  checkPauses,
  inBatches,
  policyFor,
  withBarriers,
} from "#lib/resources/groups/batches.ts";
import type { NestedView } from "#lib/resources/nested/nested-result.ts";
import type { Arrange, Situation } from "#lib/resources/nested/nested-stack.ts";
import { nestedType } from "#lib/resources/nested/nested-type.ts";
import { bestResources } from "#lib/stack/best-resource.ts";
import { openReference } from "#lib/stack/reference.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { deploymentProperties, structuredProperties } from "./deployment-properties.ts";

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
  return typeof value === "number" ? "number" : "string";
};

const serversOf = (given: JsonObject): JsonObject => {
  const byName = given[SERVERS] ?? null;
  return isJsonObject(byName) ? byName : {};
};

const memberNames = (given: JsonObject): readonly string[] => Object.keys(serversOf(given));

/** One deployment for each server, with the group's own properties. */
const memberTemplate = (memberType: string, given: JsonObject): JsonObject => {
  const parameters = Object.entries(given).map(([name, value]) => [
    name,
    { type: parameterType(value) },
  ]);
  const shared = Object.keys(given).filter((name) => name !== SERVERS);
  const common = Object.fromEntries(shared.map((name) => [name, { get_param: name }]));
  const resources = memberNames(given).map((name) => [
    name,
    {
      type: memberType,
      properties: { ...common, server: { get_param: [SERVERS, name] } },
    },
  ]);
  return {
    heat_template_version: "2016-10-14",
    parameters: Object.fromEntries(parameters),
    resources: Object.fromEntries(resources),
  };
};

const nestsOf = (memberType: string): Nests => ({
  read: (_typeName, given) => ({
    template: memberTemplate(memberType, given),
    parameters: given,
  }),
  snippet: (given, parameter) => member(given, parameter) ?? null,
});

const SECOND_MS = 1_000;

/** Heat puts the members on their new definition in batches, where the policy says so and there is more than one. */
const arrange: Arrange = (source, situation) => {
  const { call, now } = situation;
  const policy = policyFor(situation.policy, call.action);
  if (policy === null) return source.template;
  const batches = inBatches(inTurn(source, situation), policy);
  checkPauses(batches.length, policy, (call.deadline - now) / SECOND_MS);
  return withBarriers(source.template, batches, policy, call.token);
};

/**
 * Heat's order: first those that come in, then the others from the last to the first. Those whose definition
 * stays count only where it is not certain that they have it: after a failure or beside an overtaken update
 * only their visits find that out, and one that has nothing to do takes no time in its batch.
 */
const inTurn = (source: TemplateSource, { former, isSettled }: Situation): readonly string[] => {
  const names = memberNames(source.environment.parameters);
  if (former === null) return names;
  const isOld = (name: string): boolean => Object.hasOwn(resourcesOf(former), name);
  const isChanged = (name: string): boolean =>
    !isSettled || !jsonEquals(memberOf(former, name), memberOf(source, name));
  const changed = names.filter((name) => isOld(name) && isChanged(name));
  return [...names.filter((name) => !isOld(name)), ...changed.reverse()];
};

const resourcesOf = ({ template }: TemplateSource): JsonObject => {
  const resources = template["resources"] ?? null;
  return isJsonObject(resources) ? resources : {};
};

/** All that the properties of a member are made of. */
const memberOf = (source: TemplateSource, name: string): JsonObject => {
  const definition = member(resourcesOf(source), name) ?? null;
  const { type = null, properties = null } = isJsonObject(definition) ? definition : {};
  const { parameters } = source.environment;
  const server = member(serversOf(parameters), name) ?? null;
  return { type, properties, parameters: { ...parameters, [SERVERS]: server } };
};

/** What Heat calls them for a group; every other attribute of a member has its own name here. */
const PLURALS: Readonly<Record<string, string>> = {
  deploy_stdouts: "deploy_stdout",
  deploy_stderrs: "deploy_stderr",
  deploy_status_codes: "deploy_status_code",
};

/** Each attribute of the members as a map by their names. */
const view: NestedView = async (_call, ports, { stack }) => {
  const rows = bestResources(await ports.store.listResources(stack.id), stack.templateId);
  const deployments = [...rows].filter(([, { type }]) => type !== BARRIER_TYPE);
  const members = await Promise.all(
    deployments.map(async ([name, row]) => ({
      name,
      values: (await openReference(ports, row)).attributes,
    })),
  );
  const ofAll = (attribute: string): JsonObject =>
    Object.fromEntries(
      members.map(({ name, values }) => [name, member(values, attribute) ?? null]),
    );
  const names = new Set(members.flatMap(({ values }) => Object.keys(values)));
  return {
    attributes: {
      ...Object.fromEntries([...names].map((name) => [name, ofAll(name)])),
      ...Object.fromEntries(Object.entries(PLURALS).map(([plural, name]) => [plural, ofAll(name)])),
    },
  };
};

const groupType = (
  type: string,
  memberType: string,
  properties: PropertySchemas,
): ResourceType => ({
  ...nestedType(nestsOf(memberType), view, arrange),
  type,
  description: "Deploys one configuration to several servers.",
  properties: { ...servers, ...properties },
  updatePolicy: BATCH_POLICIES,
  // Besides those of PLURALS every attribute of its members is one.
  attributes: "any",
});

const SOFTWARE = "OS::Heat::SoftwareDeployment";
const STRUCTURED = "OS::Heat::StructuredDeployment";
const structured: PropertySchemas = { ...deploymentProperties, ...structuredProperties };

const softwareGroup = groupType(
  "OS::Heat::SoftwareDeploymentGroup",
  SOFTWARE,
  deploymentProperties,
);
const structuredGroup = groupType("OS::Heat::StructuredDeploymentGroup", STRUCTURED, structured);

/** The groups, and the names that they had before in Heat. */
export const deploymentGroups: readonly ResourceType[] = [
  softwareGroup,
  { ...softwareGroup, type: "OS::Heat::SoftwareDeployments", isHidden: true },
  structuredGroup,
  { ...structuredGroup, type: "OS::Heat::StructuredDeployments", isHidden: true },
];
