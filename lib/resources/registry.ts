/** Every resource type of Hearth, each bound to the back-end that its family declares. */

import { EXISTING_PREFIX } from "#lib/inventory/environment.ts";
import { isHidden } from "#lib/model/support-status.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Random } from "#lib/ports/random.ts";
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { type BoundCloud, typesOnCloud } from "#lib/resources/cloud/cloud-back-end.ts";
import { CLOUD_TYPES } from "#lib/resources/cloud/cloud-types.ts";
import { STUB_PREFIX, stubOrItself } from "#lib/resources/cloud/stub.ts";
import { withoutProvider } from "#lib/resources/cloud/without-provider.ts";
import { groupTypes } from "#lib/resources/groups/group-types.ts";
import { heatTypes } from "#lib/resources/heat/heat-types.ts";
import { machineWorkTypes } from "#lib/resources/machine/machine-types.ts";
import { type BoundMachines, machineTypes } from "#lib/resources/machine/ssh-machine.ts";
import { mimeTypes } from "#lib/resources/mime/mime-types.ts";
import { nestedTypes } from "#lib/resources/nested/nested-types.ts";
import { templateResource } from "#lib/resources/nested/template-resource.ts";
import { type BoundFamily, typesOfFamily } from "#lib/resources/provided/provided-family.ts";
import { softwareTypes } from "#lib/resources/software/software-types.ts";
import { refusedTestTypes, testTypes } from "#lib/resources/test/test-types.ts";
import { waitTypes } from "#lib/resources/wait/wait-types.ts";
import { isTemplateName } from "#lib/template/registry.ts";
import { isServerType } from "./cloud/existing-names.ts";
import { existingRecord } from "./cloud/existing-record.ts";
import { existingServer } from "./cloud/existing-server.ts";

/** Older names of types, as in the environment that Heat is shipped with. */
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
  // What the groups of instances call their members. An environment may say otherwise.
  ["OS::Heat::ScaledResource", "AWS::EC2::Instance"],
]);

const QUANTUM = "OS::Quantum";
const NEUTRON = "OS::Neutron";

/** The name of today; a name that is no alias stays. */
const withoutAlias = (type: string): string =>
  type.startsWith(QUANTUM)
    ? `${NEUTRON}${type.slice(QUANTUM.length)}`
    : (ALIASES.get(type) ?? type);

// The types of the environment `hearth:existing-machines`.

/** A type that has a provider, and one that no machine and no record stand for, is itself. */
const existingOrItself = (type: ResourceType, engine: Ports): ResourceType => {
  if (type.withoutProvider === undefined) return type;
  if (isServerType(type.type)) return existingServer(engine, type);
  return existingRecord(engine, type) ?? type;
};

/** What the families work with. A family gets only what its own list declares. */
export interface BackEnds {
  readonly engine: Ports;
  readonly random: Random;
  readonly fakeProvider: FakeProvider;
  /** Absent: yes. A deployment has test types only if its operator asks for them. */
  readonly hasTestTypes?: boolean;
}

const typesOf = ({
  engine,
  random,
  fakeProvider,
  hasTestTypes = true,
}: BackEnds): readonly ResourceType[] => [
  ...heatTypes(random),
  ...(hasTestTypes ? testTypes(fakeProvider) : refusedTestTypes()),
  ...softwareTypes(engine),
  ...machineWorkTypes(engine),
  ...mimeTypes(engine),
  ...groupTypes(engine),
  ...waitTypes(engine),
  ...nestedTypes(engine),
];

const cloudTypes = new Map(CLOUD_TYPES.map((type) => [type.type, withoutProvider(type)]));

/** By name, with the hidden ones. A type with a provider takes the place of the declared one. */
export const builtInTypes = (backEnds: BackEnds): ReadonlyMap<string, ResourceType> =>
  new Map([...cloudTypes, ...typesOf(backEnds).map((type) => [type.type, type] as const)]);

/** The types of plug-ins, and who provided those that were there before. */
export interface ProvidedTypes {
  readonly types: readonly ResourceType[];
  /** Who provided a type that a host is started without. Returns null if nobody is known. */
  readonly formerProvider?: (type: string) => string | null;
  /** A sentence about a type that is missing. By default it names the former provider. */
  readonly whyMissing?: (type: string) => string | null;
  /** Makes objects of declared types. */
  readonly cloud?: BoundCloud | null;
  /** Has more types than anybody wants to make at a start. */
  readonly family?: BoundFamily | null;
  /** Reaches machines that exist. */
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
  // A template of a request is a type too. All of them are carried out alike.
  const ofTemplate = templateResource(backEnds.engine);
  const inFamily = family === null ? () => null : typesOfFamily(family);
  const named = (alias: string): ResourceType | null => {
    const name = withoutAlias(alias);
    const own = byName.get(name) ?? null;
    // What Hearth does itself stays. What it only knows from Heat, the family makes.
    const isMadeHere = own !== null && builtIn.get(name)?.withoutProvider === undefined;
    return isMadeHere ? own : (inFamily(name) ?? own);
  };
  // A stub and a machine stand for the object also where a cloud could make it.
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
