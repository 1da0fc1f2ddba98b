/**
 * Tells for each resource of a template whether it can be made here, and which of its properties a
 * provider ignores. This includes the members of groups and the resources of nested templates. No
 * host is needed.
 */
import { newSource, type TemplateRequest } from "#lib/engine/stacks/target-source.ts";
import { RequestError } from "#lib/errors.ts";
import { EXISTING_PREFIX } from "#lib/inventory/inventory.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Ignored, ResourceType } from "#lib/ports/resource-type.ts";
import { isServerType, whyNoMachine } from "#lib/resources/existing/existing-machine.ts";
import { MEMBER_TYPE } from "#lib/resources/groups/scaling-group.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { readTemplateText } from "#lib/stack/read-document.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";
import { isTemplateName, mapType, registryBelow } from "#lib/template/environment/registry.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { isCollection, isJsonArray, member } from "#lib/template/json-shape.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { missedSignals } from "./missed-signals.ts";
import { type Filled, withPlaceholders } from "./placeholders.ts";
import { boundTemplate } from "./template-graph.ts";

export type AssessPorts = Pick<Ports, "resourceTypes" | "clock">;

export interface AssessedResource {
  /** Includes the surrounding resources, as in `below.server`. */
  readonly name: string;
  readonly type: string;
  readonly status: "runs" | "ignores" | "missing";
  readonly ignored: Readonly<Record<string, string>>;
  readonly instead: string | null;
  /** Why nothing can make the resource, and what to use instead. Null when something can. */
  readonly why: string | null;
}

export interface Assessment {
  /** "refused" means that the template is invalid, so no stack can be made from it. */
  readonly status: AssessedResource["status"] | "refused";
  readonly resources: readonly AssessedResource[];
  /** Problems that do not stop the stack from being made. */
  readonly warnings: readonly string[];
  /** Heat's text of the first error, or null. */
  readonly error: string | null;
}

const isExistingServer = (type: string): boolean =>
  type.startsWith(EXISTING_PREFIX) && isServerType(type.slice(EXISTING_PREFIX.length));

const DEPTH_MAX = 5;

const ownOf = (
  ignores: Ignored | undefined,
  { properties }: Pick<ResourceDefinition, "properties">,
) =>
  mapOf(
    Object.entries(ignores?.properties ?? {}).filter(([name]) => Object.hasOwn(properties, name)),
  );

const assessed = (
  name: string,
  definition: Pick<ResourceDefinition, "type" | "properties" | "externalId">,
  type: ResourceType | null,
): AssessedResource => {
  const base = { name, type: definition.type, ignored: {}, instead: null, why: null };
  if (definition.externalId !== null) return { ...base, status: "runs" };
  if (type === null) {
    const why = `No such type. Map ${definition.type} to a template in the resource registry.`;
    return { ...base, status: "missing", why };
  }
  if (type.withoutProvider !== undefined) {
    return { ...base, status: "missing", why: type.withoutProvider };
  }
  const ignored = ownOf(type.ignores, definition);
  const instead = type.ignores?.object ?? null;
  const isWhole = instead === null && Object.keys(ignored).length === 0;
  return { ...base, status: isWhole ? "runs" : "ignores", ignored, instead };
};

type Member = Pick<ResourceDefinition, "name" | "type" | "properties" | "externalId"> & {
  readonly isMember?: true;
};

const memberOf = ({ name }: ResourceDefinition, key: string, value: Json): Member | null => {
  const definition = typeof value === "string" ? { type: value } : value;
  const type = isJsonObject(definition) ? member(definition, "type") : null;
  if (!isJsonObject(definition) || typeof type !== "string") return null;
  const properties = member(definition, "properties") ?? null;
  return {
    name: `${name}.${key}`,
    type,
    properties: isJsonObject(properties) ? properties : {},
    externalId: null,
    isMember: true,
  };
};

const MEMBER_KEYS: ReadonlyMap<string, string> = new Map([
  ["OS::Heat::ResourceGroup", "resource_def"],
  ["OS::Heat::AutoScalingGroup", "resource"],
]);

const CHAIN = "OS::Heat::ResourceChain";

const INSTANCE_GROUPS: ReadonlySet<string> = new Set([
  "OS::Heat::InstanceGroup",
  "AWS::AutoScaling::AutoScalingGroup",
]);

const instanceOf = ({ resources, version }: Template, group: ResourceDefinition): Json => {
  const named = group.properties["LaunchConfigurationName"] ?? null;
  const [name = ""] = resourcesIn(functionsOf(version), named);
  return { type: MEMBER_TYPE, properties: resources.get(name)?.properties ?? {} };
};

const membersOf = (template: Template, definition: ResourceDefinition): readonly Member[] => {
  const { type, properties } = definition;
  const key = MEMBER_KEYS.get(type);
  const chained = type === CHAIN ? (properties["resources"] ?? null) : null;
  const members = [
    ...(key === undefined ? [] : [memberOf(definition, key, properties[key] ?? null)]),
    ...(isJsonArray(chained) ? chained : []).map((one, at) =>
      memberOf(definition, `resources[${at}]`, one),
    ),
    ...(INSTANCE_GROUPS.has(type)
      ? [memberOf(definition, "instance", instanceOf(template, definition))]
      : []),
  ];
  return members.filter((one) => one !== null);
};

interface Level {
  readonly ports: AssessPorts;
  readonly source: TemplateSource;
  readonly depth: number;
}

/** Conditions may read parameters, so values computed by functions are not known yet. */
const writtenValues = ({ properties }: Member): JsonObject =>
  mapOf(Object.entries(properties).filter(([, value]) => !isCollection(value)));

const nestedIn = async (
  { ports, source, depth }: Level,
  given: Member,
  { type, entry }: ReturnType<typeof mapType>,
): Promise<readonly AssessedResource[] | null> => {
  const text = member(source.files, type);
  if (typeof text !== "string" || depth >= DEPTH_MAX) return null;
  const { name } = given;
  const { environment } = source;
  const resourceRegistry = registryBelow(environment.resourceRegistry, name, entry);
  const below: TemplateSource = {
    template: await readTemplateText({}, text, type),
    files: source.files,
    environment: { ...environment, parameters: writtenValues(given), resourceRegistry },
  };
  const filled = withPlaceholders(below);
  const found = await resourcesOf({ ports, source: filled.source, depth: depth + 1 });
  return found.map((one) => ({ ...one, name: `${name}.${one.name}` }));
};

const assessMember = async (level: Level, given: Member): Promise<readonly AssessedResource[]> => {
  const mapping = mapType(level.source.environment.resourceRegistry, given.name, given.type);
  if (isTemplateName(mapping.type)) {
    const below = await nestedIn(level, given, mapping);
    if (below !== null) return below;
  }
  const type = await level.ports.resourceTypes.get(mapping.type);
  const found = assessed(given.name, given, type);
  const isServer = isExistingServer(mapping.type) && given.isMember !== true;
  const why = isServer ? whyNoMachine(level.source, given) : null;
  return [why === null ? found : { ...found, status: "missing", why }];
};

/** The resources of a template, each followed by its members. */
const allIn = async (source: TemplateSource) => {
  const template = await boundTemplate(source);
  const own = [...template.resources.values()];
  const all = own.flatMap((one): readonly Member[] => [one, ...membersOf(template, one)]);
  return { template, all };
};

const resourcesOf = async (level: Level): Promise<readonly AssessedResource[]> => {
  const { all } = await allIn(level.source);
  const found: AssessedResource[] = [];
  for (const one of all) found.push(...(await assessMember(level, one)));
  return found;
};

/**
 * @returns Heat's first error at a create. Errors about values that are not given yet are ignored.
 */
const errorIn = async (
  ports: AssessPorts,
  { source, isAboutPlaceholder }: Filled,
): Promise<string | null> => {
  try {
    await checkSource(ports, source);
    return null;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return isAboutPlaceholder(error.message) ? null : error.message;
  }
};

const errorsIn = async (
  ports: AssessPorts,
  source: TemplateSource,
): Promise<Pick<Assessment, "error" | "warnings">> => {
  const error = await errorIn(ports, withPlaceholders(source));
  if (error === null) return { error, warnings: [] };
  const stays = await errorIn(ports, withPlaceholders(source, { evenDefaults: true }));
  return stays === null
    ? { error: null, warnings: [`With the defaults of its parameters it is refused: ${error}`] }
    : { error, warnings: [] };
};

const worst = (resources: readonly AssessedResource[]): AssessedResource["status"] => {
  const has = (wanted: AssessedResource["status"]) =>
    resources.some(({ status }) => status === wanted);
  if (has("missing")) return "missing";
  return has("ignores") ? "ignores" : "runs";
};

const ignoresScript = async (ports: AssessPorts, source: TemplateSource, one: Member) => {
  const { type } = mapType(source.environment.resourceRegistry, one.name, one.type);
  const ignored = (await ports.resourceTypes.get(type))?.ignores?.properties ?? {};
  return Object.hasOwn(ignored, "user_data") || Object.hasOwn(ignored, "UserData");
};

const signalsMissed = async (ports: AssessPorts, source: TemplateSource) => {
  const { template, all } = await allIn(source);
  const servers: Member[] = [];
  for (const one of all) if (await ignoresScript(ports, source, one)) servers.push(one);
  return missedSignals(template, servers);
};

/** An invalid template is reported in the assessment. Other errors are thrown. */
export const assessTemplate = async (
  ports: AssessPorts,
  request: TemplateRequest,
): Promise<Assessment> => {
  let resources: readonly AssessedResource[] = [];
  try {
    const given = await newSource({}, request);
    const { source } = withPlaceholders(given);
    resources = await resourcesOf({ ports, source, depth: 0 });
    const status = worst(resources);
    const signals = await signalsMissed(ports, source);
    // The missing type, which is already reported, would be the only error.
    if (status === "missing") return { status, resources, warnings: signals, error: null };
    const { error, warnings } = await errorsIn(ports, given);
    return {
      status: error === null ? status : "refused",
      resources,
      warnings: [...signals, ...warnings],
      error,
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { status: "refused", resources, warnings: [], error: error.message };
  }
};
