/**
 * The catalogue of the types whose objects a cloud makes: those of OpenStack's services, and those
 * of AWS that Heat has. `types` has a JSON file for each service, with a line for each property and
 * attribute. `checks` has the code for what Heat validates before it calls a cloud, in the groups
 * of OpenStack's own map of services. No provider is bound here; `providers/` has some.
 */
import * as z from "zod/mini";
import { ExactNumber, isJsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { AWS_RULES } from "./checks/aws.ts";
import { COMPUTE_RULES } from "./checks/compute.ts";
import { NETWORKING_RULES } from "./checks/networking.ts";
import { NEUTRON_RULES } from "./checks/neutron.ts";
import { ORCHESTRATION_RULES } from "./checks/orchestration.ts";
import { SHARED_SERVICES_RULES } from "./checks/shared-services.ts";
import { STORAGE_RULES } from "./checks/storage.ts";
import { WORKLOADS_RULES } from "./checks/workloads.ts";
import aodh from "./types/aodh.json" with { type: "json" };
import aws from "./types/aws.json" with { type: "json" };
import barbican from "./types/barbican.json" with { type: "json" };
import blazar from "./types/blazar.json" with { type: "json" };
import cinder from "./types/cinder.json" with { type: "json" };
import designate from "./types/designate.json" with { type: "json" };
import glance from "./types/glance.json" with { type: "json" };
import ironic from "./types/ironic.json" with { type: "json" };
import keystone from "./types/keystone.json" with { type: "json" };
import magnum from "./types/magnum.json" with { type: "json" };
import manila from "./types/manila.json" with { type: "json" };
import mistral from "./types/mistral.json" with { type: "json" };
import neutron from "./types/neutron.json" with { type: "json" };
import nova from "./types/nova.json" with { type: "json" };
import octavia from "./types/octavia.json" with { type: "json" };
import swift from "./types/swift.json" with { type: "json" };
import trove from "./types/trove.json" with { type: "json" };
import vitrage from "./types/vitrage.json" with { type: "json" };
import zaqar from "./types/zaqar.json" with { type: "json" };
import zun from "./types/zun.json" with { type: "json" };

export interface DeclaredType extends Pick<ResourceType, "type" | "schema"> {
  readonly takesSnapshots?: true;
}

/** Translations are code only if one of them computes a value. All others are in the JSON files. */
export type TypeRules = Pick<
  ResourceSchema,
  "validate" | "mustReplace" | "isReplacedByUpdate" | "translations"
>;

type DeclaredData = Omit<ResourceSchema, "properties"> & {
  readonly properties: PropertySchemas;
  readonly takesSnapshots?: true;
};

/**
 * The JSON files are not parsed at start, because that took 35 ms and 2 MB in each function. A test
 * checks them instead (test/unit/resources/openstack/catalogue.test.ts).
 */
const declaredData = z.custom<DeclaredData>(isJsonObject);

/** As in Heat, the default of a number is a float, which JSON cannot express. */
const withFloat = (property: PropertySchema): PropertySchema =>
  property.type === "number" && typeof property.default === "number"
    ? { ...property, default: new ExactNumber(property.default) }
    : property;

const withFloats = (properties: PropertySchemas): PropertySchemas =>
  Object.values(properties).some((property) => withFloat(property) !== property)
    ? mapOf(Object.entries(properties).map(([name, property]) => [name, withFloat(property)]))
    : properties;

const RULES = mergedMaps<TypeRules>(
  AWS_RULES,
  COMPUTE_RULES,
  NETWORKING_RULES,
  NEUTRON_RULES,
  ORCHESTRATION_RULES,
  SHARED_SERVICES_RULES,
  STORAGE_RULES,
  WORKLOADS_RULES,
);

const SERVICES: readonly Readonly<Record<string, unknown>>[] = [
  aodh,
  aws,
  barbican,
  blazar,
  cinder,
  designate,
  glance,
  ironic,
  keystone,
  magnum,
  manila,
  mistral,
  neutron,
  nova,
  octavia,
  swift,
  trove,
  vitrage,
  zaqar,
  zun,
];

const declaredType = ([type, data]: readonly [string, unknown]): DeclaredType => {
  const { takesSnapshots, properties, ...schema } = declaredData.parse(data);
  return {
    type,
    schema: { ...schema, properties: withFloats(properties), ...RULES[type] },
    ...(takesSnapshots ? { takesSnapshots } : {}),
  };
};

export const CLOUD_TYPES: readonly DeclaredType[] = SERVICES.flatMap((types) =>
  Object.entries(types).map(declaredType),
);
