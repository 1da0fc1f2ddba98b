/**
 * Groups: one deployment for each of several servers, in a stack of their own. All values go down as parameters,
 * so that nothing a user or another resource has made is taken for a template's function.
 */
import { bestResources } from "#lib/convergence/best-resource.ts";
import { openReference } from "#lib/convergence/reference.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import type { PropertySchemas } from "#lib/template/property-schema.ts";
import { NESTED_TYPE } from "./call-limits.ts";
import { deploymentProperties, structuredProperties } from "./deployment-properties.ts";
import { checkNested, type NestedView } from "./nested-result.ts";
import { abandonNested, operateNested } from "./nested-stack.ts";

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

/** One deployment for each server, with the group's own properties. */
const memberTemplate = (memberType: string, given: JsonObject): JsonObject => {
  const parameters = Object.entries(given).map(([name, value]) => [
    name,
    { type: parameterType(value) },
  ]);
  const shared = Object.keys(given).filter((name) => name !== SERVERS);
  const common = Object.fromEntries(shared.map((name) => [name, { get_param: name }]));
  const byName = given[SERVERS] ?? null;
  const names = isJsonObject(byName) ? Object.keys(byName) : [];
  const resources = names.map((name) => [
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

/** What Heat calls them for a group; every other attribute of a member has its own name here. */
const PLURALS: Readonly<Record<string, string>> = {
  deploy_stdouts: "deploy_stdout",
  deploy_stderrs: "deploy_stderr",
  deploy_status_codes: "deploy_status_code",
};

/** Each attribute of the members as a map by their names. */
const view: NestedView = async (_call, ports, { stack }) => {
  const rows = bestResources(await ports.store.listResources(stack.id), stack.templateId);
  const members = await Promise.all(
    [...rows].map(async ([name, row]) => ({
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

const groupType = (type: string, memberType: string, properties: PropertySchemas): ResourceType => {
  const nests = nestsOf(memberType);
  const operate = operateNested(nests);
  return {
    ...NESTED_TYPE,
    type,
    description: "Deploys one configuration to several servers.",
    properties: { ...servers, ...properties },
    // Besides those of PLURALS every attribute of its members is one.
    attributes: "any",
    nests,
    handleCreate: operate,
    handleUpdate: operate,
    handleDelete: operate,
    handleSuspend: operate,
    handleResume: operate,
    handleCheck: operate,
    checkComplete: checkNested(view),
    abandon: abandonNested,
  };
};

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
