import { propertyConflict, propertyDependency, propertyUnspecified } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { CheckedDefinition, Problem } from "#lib/model/checked-definition.ts";
import { isIpv6 } from "#lib/stack/check/ip-constraints.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { pythonRepr } from "#lib/template/python-text.ts";
import { isGiven, isSet, numberOf, reads } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";
import types from "../types/neutron.json" with { type: "json" };

/**
 * Heat rejects fields of `value_specs` that are properties of the type, but only for types that
 * have no check of their own.
 */
const valueSpecsProblem =
  (type: keyof typeof types) =>
  (given: JsonObject): string | null => {
    const specs = member(given, "value_specs") ?? null;
    if (!isJsonObject(specs)) return null;
    const banned = new Set(["shared", "tenant_id", ...Object.keys(types[type].properties)]);
    const found = Object.keys(specs).filter((key) => banned.has(key));
    return found.length === 0 ? null : `${found.join(", ")} not allowed in value_specs`;
  };

const boundProblem = (given: JsonObject, upper: string, lower: string, first: string): Problem => {
  const most = numberOf(given, upper);
  const least = numberOf(given, lower);
  if (!most || !least || least <= most) return null;
  const second = first === upper ? lower : upper;
  return `Illegal prefix bounds: ${first}=${numberOf(given, first)}, ${second}=${numberOf(given, second)}.`;
};

const subnetPoolProblem = (given: JsonObject): Problem =>
  boundProblem(given, "max_prefixlen", "min_prefixlen", "max_prefixlen") ??
  boundProblem(given, "max_prefixlen", "default_prefixlen", "max_prefixlen") ??
  boundProblem(given, "default_prefixlen", "min_prefixlen", "min_prefixlen");

const OCTET_MAX = 255;
const ADDRESS_BITS = 32;
const OCTET_BITS = 8;
const SCOPE_CHARACTERS_MAX = 15;

/**
 * Accepts numbers as C does: decimal, octal after a zero, or hexadecimal.
 * @returns null when the text is not such a number.
 */
const partOf = (text: string): number | null => {
  if (/^0x[0-9a-f]+$/i.test(text)) return Number.parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return Number.parseInt(text, 8);
  return /^[1-9]\d*$/.test(text) ? Number(text) : null;
};

/** Follows C's inet_aton: of one to four parts, the last one covers all remaining bits. */
const isLooseIpv4 = (text: string): boolean => {
  const parts = text.split(".").map(partOf);
  const last = parts.pop() ?? null;
  if (last === null || parts.length > 3) return false;
  return (
    parts.every((part) => part !== null && part <= OCTET_MAX) &&
    last < 2 ** (ADDRESS_BITS - OCTET_BITS * parts.length)
  );
};

const isGateway = (text: string): boolean => {
  const at = text.lastIndexOf("%");
  if (at < 0) return isLooseIpv4(text) || isIpv6(text);
  const scope = Array.from(text.slice(at + 1)).length;
  return scope >= 1 && scope <= SCOPE_CHARACTERS_MAX && isIpv6(text.slice(0, at));
};

const blockProblem = (given: JsonObject): Problem => {
  reads(given, "value_specs", "subnetpool", "prefixlen");
  const hasPool = isGiven(given, "subnetpool");
  const hasCidr = isSet(given, "cidr");
  if (hasPool && hasCidr) return propertyConflict("subnetpool", "cidr");
  if (!hasPool && !hasCidr) return propertyUnspecified("subnetpool", "cidr");
  return hasCidr && isSet(given, "prefixlen") ? propertyConflict("prefixlen", "cidr") : null;
};

const modeProblem = (given: JsonObject): string | null => {
  const hasRa = isSet(given, "ipv6_ra_mode");
  const hasAddress = isSet(given, "ipv6_address_mode");
  if (member(given, "ip_version") === 4 && (hasRa || hasAddress)) {
    return "ipv6_ra_mode and ipv6_address_mode are not supported for ipv4.";
  }
  const areEqual = member(given, "ipv6_ra_mode") === member(given, "ipv6_address_mode");
  return hasRa && hasAddress && !areEqual
    ? "When both ipv6_ra_mode and ipv6_address_mode are set, they must be equal."
    : null;
};

const gatewayProblem = (given: JsonObject): string | null => {
  const gateway = member(given, "gateway_ip") ?? "";
  if (typeof gateway !== "string" || ["~", "", "auto"].includes(gateway)) return null;
  // Heat forgets to format this text, so it shows the text and the address as a Python tuple.
  return isGateway(gateway)
    ? null
    : `('Gateway IP address "%(gateway)s" is in invalid format.', ${pythonRepr(gateway)})`;
};

const subnetProblem = (given: JsonObject): Problem =>
  blockProblem(given) ?? modeProblem(given) ?? gatewayProblem(given);

const VLAN_ID_MAX = 4094;

const isOneOf = (type: unknown, types: readonly unknown[]): boolean => types.includes(type);

const segmentProblem = (given: JsonObject): Problem => {
  const type = member(given, "network_type");
  const network = String(type);
  const hasPhysical = isGiven(given, "physical_network");
  const hasId = isGiven(given, "segmentation_id");
  if (isOneOf(type, ["flat", "vlan"]) && !hasPhysical) {
    return `physical_network is required for ${network} provider network.`;
  }
  if (type === "vlan" && !hasId) {
    return `segmentation_id is required for ${network} provider network.`;
  }
  if (isOneOf(type, ["local", "flat"]) && hasId) {
    return `segmentation_id is prohibited for ${network} provider network.`;
  }
  if (isOneOf(type, ["vxlan", "gre", "geneve"]) && hasPhysical) {
    return `physical_network is prohibited for ${network} provider network.`;
  }
  return type === "vlan" && (numberOf(given, "segmentation_id") ?? 0) > VLAN_ID_MAX
    ? `Up to ${VLAN_ID_MAX} VLAN network segments can exist on each physical_network.`
    : null;
};

/** For these protocols the two port properties are an ICMP type and a code, which have no order. */
const WITHOUT_PORTS: readonly unknown[] = ["icmp", "icmpv6", "ipv6-icmp"];

const securityGroupRuleProblem = (given: JsonObject): Problem => {
  if (isGiven(given, "remote_group") && isGiven(given, "remote_ip_prefix")) {
    return propertyConflict("remote_group", "remote_ip_prefix");
  }
  reads(given, "port_range_max", "port_range_min", "protocol");
  const max = numberOf(given, "port_range_max");
  const min = numberOf(given, "port_range_min");
  const hasOrder = max !== null && min !== null;
  return hasOrder && max < min && !WITHOUT_PORTS.includes(member(given, "protocol"))
    ? "The minimum port number must be less than or equal to the maximum port number."
    : null;
};

const routerProblem = (given: JsonObject): Problem => {
  reads(given, "value_specs", "distributed");
  const hasAgent = isSet(given, "l3_agent_id");
  const hasAgents = isSet(given, "l3_agent_ids");
  const isDistributed = isSet(given, "distributed");
  const isHa = isSet(given, "ha");
  if (hasAgent && hasAgents) return propertyConflict("l3_agent_id", "l3_agent_ids");
  if (isDistributed && (hasAgent || hasAgents)) {
    return propertyConflict("distributed", "l3_agent_id/l3_agent_ids");
  }
  if (isHa && isDistributed) return propertyConflict("distributed", "ha");
  const agents = member(given, "l3_agent_ids") ?? null;
  return !isHa && isJsonArray(agents) && agents.length > 1
    ? "Non HA routers can only have one L3 agent."
    : null;
};

const neutronRouter: TypeRules = {
  translations: [
    { add: ["l3_agent_ids"], from: { value: (id) => [id] }, when: "l3_agent_id" },
    { delete: ["l3_agent_id"], when: "l3_agent_id" },
  ],
  validate: routerProblem,
};

const SHARED = "access_as_shared";

const TYPES: readonly unknown[] = [
  "network",
  "qos_policy",
  "security_group",
  "address_scope",
  "subnetpool",
];

const actionsOf = (type: unknown): readonly unknown[] =>
  type === "network" ? [SHARED, "access_as_external"] : [SHARED];

const rbacPolicyProblem = (
  given: JsonObject,
  _name: string,
  { place, propertiesKey }: CheckedDefinition,
): Problem => {
  const type = member(given, "object_type") ?? "";
  if (!TYPES.includes(type)) return `KeyError: ${place}: ${pythonRepr(type)}`;
  const action = member(given, "action");
  const actions = actionsOf(type);
  return actions.includes(action)
    ? null
    : `Property error: ${place}.${propertiesKey}.action: Invalid action "${String(action)}" for object type ${String(type)}. Valid actions: ${actions.join(", ")}`;
};

const WITHOUT_SEGMENTATION: readonly unknown[] = ["local", "flat"];
const WITHOUT_PHYSICAL: readonly unknown[] = ["vxlan", "gre", "geneve", "local"];

const providerNetProblem = (given: JsonObject): Problem => {
  const isOneOf = (types: readonly unknown[]): boolean =>
    types.includes(member(given, "network_type"));
  if (isSet(given, "segmentation_id") && isOneOf(WITHOUT_SEGMENTATION)) {
    return "segmentation_id not allowed for network types: local, flat";
  }
  return isSet(given, "physical_network") && isOneOf(WITHOUT_PHYSICAL)
    ? // Heat names flat here by mistake: a flat network may have a physical network.
      "physical_network not allowed for network types: vxlan, gre, geneve, flat"
    : null;
};

const connectionProblem = (connection: Json): string | null => {
  if (!isJsonObject(connection)) return null;
  const type = member(connection, "segmentation_type");
  if (type === "vlan" && !isGiven(connection, "segmentation_id")) {
    return "segmentation_id must be specified for using vlan";
  }
  return type === "flat" && isSet(connection, "segmentation_id")
    ? "segmentation_id cannot be specified except 0 for using flat"
    : null;
};

const networkGatewayProblem = (given: JsonObject): Problem => {
  const connections = member(given, "connections") ?? null;
  if (!isJsonArray(connections)) return null;
  return connections.map(connectionProblem).find((problem) => problem !== null) ?? null;
};

export const needsLimit =
  (limits: readonly string[]) =>
  (given: JsonObject): Problem => {
    reads(given, "project", ...limits);
    return limits.some((limit) => isGiven(given, limit))
      ? null
      : propertyUnspecified(...limits.toSorted());
  };

export const NEUTRON_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Neutron::Firewall": { validate: valueSpecsProblem("OS::Neutron::Firewall") },
  "OS::Neutron::FloatingIP": {
    validate: (given) => {
      reads(given, "value_specs");
      return !isGiven(given, "port_id") && isGiven(given, "fixed_ip_address")
        ? propertyDependency("fixed_ip_address", "port_id")
        : null;
    },
  },
  "OS::Neutron::Net": { validate: valueSpecsProblem("OS::Neutron::Net") },
  "OS::Neutron::NetworkGateway": { validate: networkGatewayProblem },
  "OS::Neutron::Port": {
    isReplacedByUpdate: (after) => member(after, "replacement_policy") === "REPLACE_ALWAYS",
    validate: (given) => {
      reads(given, "value_specs", "fixed_ips", "no_fixed_ips");
      return isSet(given, "fixed_ips") && isSet(given, "no_fixed_ips")
        ? propertyConflict("fixed_ips", "no_fixed_ips")
        : null;
    },
  },
  "OS::Neutron::ProviderNet": { validate: providerNetProblem },
  "OS::Neutron::Quota": {
    validate: needsLimit([
      "subnet",
      "network",
      "floatingip",
      "security_group_rule",
      "security_group",
      "router",
      "port",
      "subnetpool",
      "rbac_policy",
    ]),
  },
  "OS::Neutron::RBACPolicy": { validate: rbacPolicyProblem },
  "OS::Neutron::RouterInterface": {
    validate: (given) => {
      reads(given, "subnet", "port");
      const hasPort = isGiven(given, "port");
      if (isGiven(given, "subnet") !== hasPort) return null;
      return hasPort ? propertyConflict("subnet", "port") : propertyUnspecified("subnet", "port");
    },
  },
  "OS::Neutron::Router": neutronRouter,
  "OS::Neutron::SecurityGroupRule": { validate: securityGroupRuleProblem },
  "OS::Neutron::SecurityGroup": {
    validate: (given) =>
      member(given, "name") === "default"
        ? 'Security groups cannot be assigned the name "default".'
        : null,
  },
  "OS::Neutron::Segment": { validate: segmentProblem },
  "OS::Neutron::SubnetPool": { validate: subnetPoolProblem },
  "OS::Neutron::Subnet": { validate: subnetProblem },
};
