/**
 * What Heat knows of the types whose objects a cloud makes. Each service has a JSON file with a
 * line per property and attribute. `declaredTypes` adds the checks that data cannot express. No
 * provider is bound here; `providers/` has some.
 */
import * as z from "zod/mini";
import { ExactNumber, isJsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { AWS_RULES } from "./checks/aws.ts";
import { NOVA_RULES, ZUN_RULES } from "./checks/compute.ts";
import { DESIGNATE_RULES, OCTAVIA_RULES } from "./checks/networking.ts";
import { NEUTRON_RULES } from "./checks/neutron.ts";
import { MISTRAL_RULES, ZAQAR_RULES } from "./checks/orchestration.ts";
import { BARBICAN_RULES, GLANCE_RULES, KEYSTONE_RULES } from "./checks/shared-services.ts";
import { CINDER_RULES, MANILA_RULES } from "./checks/storage.ts";
import { MAGNUM_RULES, TROVE_RULES } from "./checks/workloads.ts";
import aodh from "./types/aodh.json";
import aws from "./types/aws.json";
import barbican from "./types/barbican.json";
import blazar from "./types/blazar.json";
import cinder from "./types/cinder.json";
import designate from "./types/designate.json";
import glance from "./types/glance.json";
import ironic from "./types/ironic.json";
import keystone from "./types/keystone.json";
import magnum from "./types/magnum.json";
import manila from "./types/manila.json";
import mistral from "./types/mistral.json";
import neutron from "./types/neutron.json";
import nova from "./types/nova.json";
import octavia from "./types/octavia.json";
import swift from "./types/swift.json";
import trove from "./types/trove.json";
import vitrage from "./types/vitrage.json";
import zaqar from "./types/zaqar.json";
import zun from "./types/zun.json";

export interface DeclaredType extends Pick<ResourceType, "type" | "schema"> {
  readonly takesSnapshots?: true;
}

/** Translations are code only if one of them computes a value. All others are in the JSON files. */
export type TypeRules = Pick<
  ResourceSchema,
  "validate" | "mustReplace" | "isReplacedByUpdate" | "translations"
>;

export type ServiceRules = Readonly<Record<string, TypeRules>>;

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

const declaredTypes = (
  types: Readonly<Record<string, unknown>>,
  rules: ServiceRules = {},
): readonly DeclaredType[] =>
  Object.entries(types).map(([type, data]) => {
    const { takesSnapshots, properties, ...schema } = declaredData.parse(data);
    return {
      type,
      schema: { ...schema, properties: withFloats(properties), ...rules[type] },
      ...(takesSnapshots ? { takesSnapshots } : {}),
    };
  });

/**
 * All types of Heat whose objects a cloud makes. The schemas are JSON files in `types`, one per
 * service; `checks` has the code for what Heat validates before it calls a cloud.
 */

export const CLOUD_TYPES: readonly DeclaredType[] = [
  ...declaredTypes(aodh),
  ...declaredTypes(aws, AWS_RULES),
  ...declaredTypes(barbican, BARBICAN_RULES),
  ...declaredTypes(blazar),
  ...declaredTypes(cinder, CINDER_RULES),
  ...declaredTypes(designate, DESIGNATE_RULES),
  ...declaredTypes(glance, GLANCE_RULES),
  ...declaredTypes(ironic),
  ...declaredTypes(keystone, KEYSTONE_RULES),
  ...declaredTypes(magnum, MAGNUM_RULES),
  ...declaredTypes(manila, MANILA_RULES),
  ...declaredTypes(mistral, MISTRAL_RULES),
  ...declaredTypes(neutron, NEUTRON_RULES),
  ...declaredTypes(nova, NOVA_RULES),
  ...declaredTypes(octavia, OCTAVIA_RULES),
  ...declaredTypes(swift),
  ...declaredTypes(trove, TROVE_RULES),
  ...declaredTypes(vitrage),
  ...declaredTypes(zaqar, ZAQAR_RULES),
  ...declaredTypes(zun, ZUN_RULES),
];
