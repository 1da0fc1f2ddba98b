/**
 * The registry of all resource types. Each type is bound to the back-ends that its family needs.
 */
import { EXISTING_PREFIX } from "#lib/inventory/inventory.ts";
import { isHidden } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { isTemplateName } from "#lib/template/environment/registry.ts";
import { type BackEnds, ownTypes } from "./built-in-types.ts";
import { isServerType } from "./existing/existing-machine.ts";
import { existingRecord } from "./existing/existing-record.ts";
import { existingServer } from "./existing/existing-server.ts";
import { STUB_PREFIX, stubOrItself } from "./fake-provider/stub.ts";
import { type BoundMachines, machineTypes } from "./machine/ssh-machine.ts";
import { templateResource } from "./nested/template-resource.ts";
import { CLOUD_TYPES } from "./openstack/catalogue.ts";
import { withoutProvider } from "./openstack/without-provider.ts";
import { type BoundCloud, typesOnCloud } from "./provided/cloud-back-end.ts";
import { type BoundFamily, typesOfFamily } from "./provided/provided-type.ts";

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["OS::Metering::Alarm", "OS::Aodh::Alarm"],
  ["OS::Ceilometer::Alarm", "OS::Aodh::Alarm"],
  ["OS::Ceilometer::GnocchiResourcesAlarm", "OS::Aodh::GnocchiResourcesAlarm"],
  [
    "OS::Ceilometer::GnocchiAggregationByMetricsAlarm",
    "OS::Aodh::GnocchiAggregationByMetricsAlarm",
  ],
  [
    "OS::Ceilometer::GnocchiAggregationByResourcesAlarm",
    "OS::Aodh::GnocchiAggregationByResourcesAlarm",
  ],
  ["OS::Ceilometer::CombinationAlarm", "OS::Aodh::CombinationAlarm"],
  // The member type of scaling groups. A user's environment may map it to another type.
  ["OS::Heat::ScaledResource", "AWS::EC2::Instance"],
]);

const QUANTUM = "OS::Quantum";
const NEUTRON = "OS::Neutron";

const withoutAlias = (type: string): string =>
  type.startsWith(QUANTUM)
    ? `${NEUTRON}${type.slice(QUANTUM.length)}`
    : (ALIASES.get(type) ?? type);

/**
 * Types with a provider, and types for which neither a machine nor a record exists, stay as they
 * are.
 */
const existingOrItself = (type: ResourceType, engine: Ports): ResourceType => {
  if (type.withoutProvider === undefined) return type;
  if (isServerType(type.type)) return existingServer(engine, type);
  return existingRecord(engine, type) ?? type;
};

const cloudTypes = new Map(CLOUD_TYPES.map((type) => [type.type, withoutProvider(type)]));

export const builtInTypes = (backEnds: BackEnds): ReadonlyMap<string, ResourceType> =>
  new Map([...cloudTypes, ...ownTypes(backEnds).map((type) => [type.type, type] as const)]);

export interface ProvidedTypes {
  readonly types: readonly ResourceType[];
  readonly formerProvider?: (type: string) => string | null;
  readonly whyMissing?: (type: string) => string | null;
  readonly cloud?: BoundCloud | null;
  /** Makes its types on demand, because they are too many to make at start. */
  readonly family?: BoundFamily | null;
  readonly machines?: BoundMachines | null;
}

const NOTHING_PROVIDED: ProvidedTypes = { types: [] };

const missingFrom =
  (formerProvider: (type: string) => string | null) =>
  (type: string): string | null => {
    const former = formerProvider(type);
    return former && `It was a type of ${former}, which this host does not have.`;
  };

export const resourceTypes = (
  backEnds: BackEnds,
  {
    types,
    formerProvider = () => null,
    whyMissing = missingFrom(formerProvider),
    cloud = null,
    family = null,
    machines = null,
  }: ProvidedTypes = NOTHING_PROVIDED,
): ResourceTypes => {
  const fromMachines = machines === null ? [] : machineTypes(backEnds.engine, machines);
  const provided = [...types, ...fromMachines].map((type) => [type.type, type] as const);
  const builtIn = builtInTypes(backEnds);
  const withoutCloud = new Map([...provided, ...builtIn]);
  const byName = new Map([
    ...withoutCloud,
    ...typesOnCloud(builtIn, cloud, backEnds.engine, formerProvider),
  ]);
  // Any template name of a request is a type as well, and all of them share this implementation.
  const ofTemplate = templateResource(backEnds.engine);
  const inFamily = family === null ? () => null : typesOfFamily(family);
  const named = (alias: string): ResourceType | null => {
    const name = withoutAlias(alias);
    const own = byName.get(name) ?? null;
    // A type that Hearth implements itself wins over the one of a family.
    const isMadeHere = own !== null && builtIn.get(name)?.withoutProvider === undefined;
    return isMadeHere ? own : (inFamily(name) ?? own);
  };
  // Stubs and existing machines replace the object even if a cloud could make it.
  const declared = (name: string): ResourceType | null =>
    withoutCloud.get(withoutAlias(name)) ?? null;
  const stub = (name: string): ResourceType | null => {
    const type = declared(name.slice(STUB_PREFIX.length));
    return type && stubOrItself(type, backEnds.fakeProvider);
  };
  const existing = (name: string): ResourceType | null => {
    const type = declared(name.slice(EXISTING_PREFIX.length));
    return type && existingOrItself(type, backEnds.engine);
  };
  return {
    get: async (name) => {
      if (name.startsWith(EXISTING_PREFIX)) return existing(name);
      if (name.startsWith(STUB_PREFIX)) return stub(name);
      return named(name) ?? (isTemplateName(name) ? ofTemplate : null);
    },
    names: () => {
      const shown = [...byName.values()].filter(({ schema }) => !isHidden(schema.support));
      const names = shown.map(({ type }) => type);
      return [...new Set([...names, ...(family?.family.names ?? [])])].sort();
    },
    whyMissing,
  };
};

/** The engine's own types call the engine, so its ports and the registry need each other. */
export const withResourceTypes = (
  ports: Omit<Ports, "resourceTypes">,
  bind: (engine: Ports) => ResourceTypes,
): Ports => {
  const engine: Ports = {
    ...ports,
    resourceTypes: {
      get: (name) => types.get(name),
      names: () => types.names(),
      whyMissing: (name) => types.whyMissing?.(name) ?? null,
    },
  };
  const types = bind(engine);
  return engine;
};
