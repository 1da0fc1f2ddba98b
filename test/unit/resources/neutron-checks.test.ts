import { expect, it } from "vitest";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { CLOUD_TYPES } from "#lib/resources/cloud/cloud-types.ts";
import { groupTypes } from "#lib/resources/groups/group-types.ts";
import { finished } from "#lib/template/steps.ts";
import { validating } from "#lib/template/validate.ts";
import { aTemplate } from "#test/unit/template/build.ts";
import { world } from "./world.ts";

const schemas = new Map(
  [...CLOUD_TYPES, ...groupTypes(world().ports)].map(({ type, schema }) => [type, schema]),
);

/** The first error of a template with the resource `r` and what it refers to. */
const refusal = (type: string, properties: JsonObject, more: JsonObject = {}): string | null => {
  const template = aTemplate({
    resources: {
      n: { type: "OS::Neutron::Net" },
      lc: { type: "AWS::AutoScaling::LaunchConfiguration", properties: { InstanceId: "i" } },
      r: { type, properties, ...more },
    },
  });
  try {
    const lookup = (name: string) => schemas.get(name) ?? null;
    finished(validating(template, new Map(), { files: {} }, lookup, { strict: true }));
    return null;
  } catch (error) {
    if (error instanceof RequestError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

const failed = (text: string): string => `StackValidationFailed: ${text}`;
const conflict = (keys: string): string =>
  `ResourcePropertyConflict: Cannot define the following properties at the same time: ${keys}.`;
const unspecified = (keys: string): string =>
  `PropertyUnspecifiedError: At least one of the following properties must be specified: ${keys}.`;
const dependent = (key: string, other: string, value: string): string =>
  `ResourcePropertyValueDependency: ${key} property should only be specified for ${other} with value ${value}.`;

type Case = readonly [type: string, properties: JsonObject, refused: string | null];

const WAITS = { get_attr: ["n", "name"] };
const SUBNET = { network: "n", cidr: "10.0.0.0/24" };
const GATEWAY = (address: string) =>
  failed(`('Gateway IP address "%(gateway)s" is in invalid format.', '${address}')`);
const PORTS = { security_group: "g", port_range_min: 9, port_range_max: 1 };
const RBAC = { target_tenant: "t", object_id: "o", action: "access_as_external" };

it.each<Case>([
  ["Net", { value_specs: { name: "x", mtu: 9 } }, failed("name not allowed in value_specs")],
  ["Net", { value_specs: { shared: true } }, failed("shared not allowed in value_specs")],
  ["Net", { value_specs: { mtu: 9 } }, null],
  [
    "Firewall",
    { firewall_policy_id: "p", value_specs: { tenant_id: "x" } },
    failed("tenant_id not allowed in value_specs"),
  ],
  [
    "FloatingIP",
    { floating_network: "f", fixed_ip_address: "10.0.0.1" },
    "ResourcePropertyDependency: fixed_ip_address cannot be specified without port_id.",
  ],
  ["FloatingIP", { floating_network: "f", fixed_ip_address: "10.0.0.1", port_id: "p" }, null],
  [
    "NetworkGateway",
    {
      devices: [{ id: "d", interface_name: "e" }],
      connections: [{ network: "n", segmentation_type: "vlan" }],
    },
    failed("segmentation_id must be specified for using vlan"),
  ],
  [
    "NetworkGateway",
    {
      devices: [{ id: "d", interface_name: "e" }],
      connections: [{ network: "n", segmentation_id: 1 }],
    },
    failed("segmentation_id cannot be specified except 0 for using flat"),
  ],
  [
    "NetworkGateway",
    {
      devices: [{ id: "d", interface_name: "e" }],
      connections: [{ network: "n", segmentation_id: 0 }],
    },
    null,
  ],
  ["NetworkGateway", { devices: [{ id: "d", interface_name: "e" }] }, null],
  [
    "Port",
    { network: "n", fixed_ips: [{ subnet: "s" }], no_fixed_ips: true },
    conflict("fixed_ips, no_fixed_ips"),
  ],
  ["Port", { network: "n", fixed_ips: [], no_fixed_ips: true }, null],
  [
    "ProviderNet",
    { network_type: "flat", physical_network: "p", segmentation_id: "1" },
    failed("segmentation_id not allowed for network types: local, flat"),
  ],
  [
    "ProviderNet",
    { network_type: "vxlan", physical_network: "p" },
    failed("physical_network not allowed for network types: vxlan, gre, geneve, flat"),
  ],
  ["ProviderNet", { network_type: "flat", physical_network: "p" }, null],
  [
    "Quota",
    { project: "p" },
    unspecified(
      "floatingip, network, port, rbac_policy, router, security_group, security_group_rule, subnet, subnetpool",
    ),
  ],
  ["Quota", { project: "p", router: WAITS }, null],
  [
    "RBACPolicy",
    { ...RBAC, object_type: "qos_policy" },
    failed(
      'Property error: resources.r.properties.action: Invalid action "access_as_external" for object type qos_policy. Valid actions: access_as_shared',
    ),
  ],
  ["RBACPolicy", { ...RBAC, object_type: "network" }, null],
  ["RBACPolicy", { ...RBAC, object_type: WAITS }, failed("KeyError: resources.r: ''")],
  [
    "Router",
    { distributed: true, l3_agent_id: "a" },
    conflict("distributed, l3_agent_id/l3_agent_ids"),
  ],
  ["Router", { distributed: true, ha: true }, conflict("distributed, ha")],
  ["Router", { l3_agent_ids: ["a", "b"] }, failed("Non HA routers can only have one L3 agent.")],
  ["Router", { ha: true, l3_agent_ids: ["a", "b"] }, null],
  ["RouterInterface", { router: "r" }, unspecified("subnet, port")],
  ["RouterInterface", { router: "r", subnet: "s", port: "p" }, conflict("subnet, port")],
  ["RouterInterface", { router: "r", subnet: WAITS }, null],
  [
    "SecurityGroup",
    { name: "default" },
    failed('Security groups cannot be assigned the name "default".'),
  ],
  [
    "SecurityGroupRule",
    { security_group: "g", remote_group: "x", remote_ip_prefix: "10.0.0.0/8" },
    conflict("remote_group, remote_ip_prefix"),
  ],
  [
    "SecurityGroupRule",
    { ...PORTS, protocol: "tcp" },
    failed("The minimum port number must be less than or equal to the maximum port number."),
  ],
  ["SecurityGroupRule", { ...PORTS, protocol: "icmp" }, null],
  ["SecurityGroupRule", { security_group: "g", protocol: 38 }, null],
  [
    "Segment",
    { network: "n", network_type: "flat" },
    failed("physical_network is required for flat provider network."),
  ],
  [
    "Segment",
    { network: "n", network_type: "vlan", physical_network: "p" },
    failed("segmentation_id is required for vlan provider network."),
  ],
  [
    "Segment",
    { network: "n", network_type: "local", segmentation_id: 1 },
    failed("segmentation_id is prohibited for local provider network."),
  ],
  [
    "Segment",
    { network: "n", network_type: "gre", physical_network: "p" },
    failed("physical_network is prohibited for gre provider network."),
  ],
  [
    "Segment",
    { network: "n", network_type: "vlan", physical_network: "p", segmentation_id: 4095 },
    failed("Up to 4094 VLAN network segments can exist on each physical_network."),
  ],
  ["Subnet", { network: "n" }, unspecified("subnetpool, cidr")],
  ["Subnet", { network: "n", cidr: WAITS }, unspecified("subnetpool, cidr")],
  ["Subnet", { ...SUBNET, subnetpool: { get_resource: "n" } }, conflict("subnetpool, cidr")],
  ["Subnet", { ...SUBNET, prefixlen: 8 }, conflict("prefixlen, cidr")],
  ["Subnet", { ...SUBNET, prefixlen: { get_resource: "n" } }, null],
  [
    "Subnet",
    { ...SUBNET, ipv6_ra_mode: "slaac" },
    failed("ipv6_ra_mode and ipv6_address_mode are not supported for ipv4."),
  ],
  [
    "Subnet",
    { ...SUBNET, ip_version: 6, ipv6_ra_mode: "slaac", ipv6_address_mode: "dhcpv6-stateful" },
    failed("When both ipv6_ra_mode and ipv6_address_mode are set, they must be equal."),
  ],
  ...["x", "1.2.3.4.5", "10.0.256.1", "256.1", "09", "10.0.0.1%eth0", "fe80::1%"].map(
    (address): Case => ["Subnet", { ...SUBNET, gateway_ip: address }, GATEWAY(address)],
  ),
  ...["", "~", "auto", "10.1", "0x7f.1", "010.1", "4294967295", "fe80::1", "fe80::1%eth0"].map(
    (address): Case => ["Subnet", { ...SUBNET, gateway_ip: address }, null],
  ),
  [
    "SubnetPool",
    { prefixes: ["10.0.0.0/8"], min_prefixlen: 9, max_prefixlen: 8 },
    failed("Illegal prefix bounds: max_prefixlen=8, min_prefixlen=9."),
  ],
  [
    "SubnetPool",
    { prefixes: ["10.0.0.0/8"], default_prefixlen: 9, max_prefixlen: 8 },
    failed("Illegal prefix bounds: max_prefixlen=8, default_prefixlen=9."),
  ],
  [
    "SubnetPool",
    { prefixes: ["10.0.0.0/8"], default_prefixlen: 8, min_prefixlen: 9 },
    failed("Illegal prefix bounds: min_prefixlen=9, default_prefixlen=8."),
  ],
  ["SubnetPool", { prefixes: ["10.0.0.0/8"], min_prefixlen: 9, max_prefixlen: 0 }, null],
])("OS::Neutron::%s %j: %s", (type, properties, refused) => {
  expect(refusal(`OS::Neutron::${type}`, properties)).toBe(refused);
});

const POLICY = { listener: "l" };
const RULE = { l7policy: "p", compare_type: "EQUAL_TO", value: "v" };
const POOL = { listener: "l", lb_algorithm: "ROUND_ROBIN", protocol: "HTTP" };

it.each<Case>([
  [
    "L7Policy",
    { ...POLICY, action: "REJECT", redirect_url: "http://a" },
    failed(
      "Properties redirect_pool and redirect_url are not required when action type is set to REJECT.",
    ),
  ],
  [
    "L7Policy",
    { ...POLICY, action: "REDIRECT_TO_POOL", redirect_url: "http://a" },
    dependent("redirect_url", "action", "REDIRECT_TO_URL"),
  ],
  [
    "L7Policy",
    { ...POLICY, action: "REDIRECT_TO_POOL" },
    failed("Property redirect_pool is required when action type is set to REDIRECT_TO_POOL."),
  ],
  [
    "L7Policy",
    { ...POLICY, action: "REDIRECT_TO_URL", redirect_pool: "p" },
    dependent("redirect_pool", "action", "REDIRECT_TO_POOL"),
  ],
  [
    "L7Policy",
    { ...POLICY, action: "REDIRECT_TO_URL" },
    failed("Property redirect_url is required when action type is set to REDIRECT_TO_URL."),
  ],
  ["L7Policy", { ...POLICY, action: "REDIRECT_TO_URL", redirect_url: WAITS }, null],
  [
    "L7Rule",
    { ...RULE, type: "COOKIE" },
    failed(
      "Property key is missing. This property should be specified for rules of HEADER and COOKIE types.",
    ),
  ],
  ["L7Rule", { ...RULE, type: "PATH" }, null],
  [
    "Listener",
    { protocol_port: 1, protocol: "TERMINATED_HTTPS", loadbalancer: "b" },
    failed("Property default_tls_container_ref required when protocol is TERMINATED_HTTPS."),
  ],
  ["Listener", { protocol_port: 1, protocol: "HTTPS", loadbalancer: "b" }, null],
  [
    "Pool",
    { lb_algorithm: "ROUND_ROBIN", protocol: "HTTP" },
    unspecified("listener, loadbalancer"),
  ],
  [
    "Pool",
    { ...POOL, session_persistence: { type: "APP_COOKIE" } },
    failed("Property cookie_name is required when session_persistence type is set to APP_COOKIE."),
  ],
  [
    "Pool",
    { ...POOL, session_persistence: { type: "SOURCE_IP", cookie_name: "c" } },
    failed(
      "Property cookie_name must NOT be specified when session_persistence type is set to SOURCE_IP.",
    ),
  ],
  ["Pool", POOL, null],
  ["Quota", { project: "p" }, unspecified("healthmonitor, listener, loadbalancer, member, pool")],
  ["Quota", { project: "p", pool: 1 }, null],
])("OS::Octavia::%s %j: %s", (type, properties, refused) => {
  expect(refusal(`OS::Octavia::${type}`, properties)).toBe(refused);
});

const CONFIGURATION = { get_resource: "lc" };
const SERVERS = { AvailabilityZones: ["z"], MinSize: 1, MaxSize: 2 };
const SCALING = "AWS::AutoScaling::AutoScalingGroup";
const LAUNCH = "AWS::AutoScaling::LaunchConfiguration";
const MEMBERS = { resource: { type: "OS::Neutron::Net" } };
const INSTANCES = { AvailabilityZones: ["z"], Size: 1 };
const MIN_ABOVE_MAX = failed("MinSize can not be greater than MaxSize");
const NOT_WITHIN = failed("DesiredCapacity must be between MinSize and MaxSize");
const NO_SOURCE = failed("Either 'InstanceId' or 'LaunchConfigurationName' must be provided.");

it.each<Case>([
  ["OS::Heat::AutoScalingGroup", { ...MEMBERS, min_size: 2, max_size: 1 }, MIN_ABOVE_MAX],
  [
    "OS::Heat::AutoScalingGroup",
    { ...MEMBERS, min_size: 1, max_size: 2, desired_capacity: 3 },
    NOT_WITHIN,
  ],
  [
    "OS::Heat::AutoScalingGroup",
    { min_size: "few", max_size: 2 },
    failed("ValueError: resources.r: Value 'few' is not an integer"),
  ],
  [
    "OS::Heat::AutoScalingGroup",
    { min_size: 1, max_size: 2 },
    failed("Property error: resources.r.properties: Property resource not assigned"),
  ],
  [SCALING, { ...SERVERS, MinSize: 3, unknown: 1 }, MIN_ABOVE_MAX],
  [
    SCALING,
    { AvailabilityZones: ["z"], MinSize: 1 },
    failed("ValueError: resources.r: Property MaxSize not assigned"),
  ],
  [
    SCALING,
    { ...SERVERS, MinSize: -1 },
    failed("The size of AutoScalingGroup can not be less than zero"),
  ],
  [
    SCALING,
    { ...SERVERS, VPCZoneIdentifier: ["a", "b"] },
    "NotSupported: Anything other than one VPCZoneIdentifier is not supported.",
  ],
  [SCALING, SERVERS, NO_SOURCE],
  [SCALING, { ...SERVERS, InstanceId: "i", LaunchConfigurationName: CONFIGURATION }, NO_SOURCE],
  [SCALING, { ...SERVERS, LaunchConfigurationName: CONFIGURATION }, null],
  [
    SCALING,
    { ...SERVERS, LaunchConfigurationName: "x" },
    failed("ValueError: resources.r: LaunchConfigurationName (x) reference can not be found."),
  ],
  [
    "OS::Heat::InstanceGroup",
    { ...INSTANCES, LaunchConfigurationName: "lc" },
    failed(
      "ValueError: resources.r: LaunchConfigurationName (lc) requires a reference to the configuration not just the name of the resource.",
    ),
  ],
  ["OS::Heat::InstanceGroup", { ...INSTANCES, LaunchConfigurationName: CONFIGURATION }, null],
  [
    LAUNCH,
    { ImageId: "i" },
    failed("If without InstanceId, ImageId and InstanceType are required."),
  ],
  [LAUNCH, { ImageId: "i", InstanceType: "t" }, null],
  [
    LAUNCH,
    { InstanceId: "i", BlockDeviceMappings: [{ DeviceName: "vdb" }] },
    failed("Ebs is missing, this is required when specifying BlockDeviceMappings."),
  ],
  [
    LAUNCH,
    { InstanceId: "i", BlockDeviceMappings: [{ DeviceName: "vdb", Ebs: {} }] },
    failed("SnapshotId is missing, this is required when specifying BlockDeviceMappings."),
  ],
  [
    "AWS::AutoScaling::ScalingPolicy",
    {
      AutoScalingGroupName: "g",
      ScalingAdjustment: 1,
      AdjustmentType: "ExactCapacity",
      MinAdjustmentStep: 1,
    },
    dependent("MinAdjustmentStep", "AdjustmentType", "PercentChangeInCapacity"),
  ],
  [
    "OS::Heat::ScalingPolicy",
    {
      auto_scaling_group_id: "g",
      scaling_adjustment: 1,
      adjustment_type: "exact_capacity",
      min_adjustment_step: 0,
    },
    dependent("min_adjustment_step", "adjustment_type", "percent_change_in_capacity"),
  ],
])("%s %j: %s", (type, properties, refused) => {
  expect(refusal(type, properties)).toBe(refused);
});

it.each<readonly [pause: string, refused: string | null]>([
  ["PT1H", null],
  ["PT59M60S", null],
  ["PT1H1S", "Maximum PauseTime is 1 hour."],
  ["soon", "Only ISO 8601 duration format of the form PT#H#M#S is supported."],
])("the pause %s of a group: %s", (PauseTime, refused) => {
  const expected = refused === null ? null : failed(`ValueError: resources.r: ${refused}`);
  const named = { LaunchConfigurationName: CONFIGURATION };
  const policy = (key: string) => ({ update_policy: { [key]: { PauseTime } } });
  const instances = { ...INSTANCES, ...named };
  expect(refusal("OS::Heat::InstanceGroup", instances, policy("RollingUpdate"))).toBe(expected);
  const servers = { ...SERVERS, ...named };
  expect(refusal(SCALING, servers, policy("AutoScalingRollingUpdate"))).toBe(expected);
});

it("a dependency on the launch configuration is a reference, too", () => {
  const properties = { ...INSTANCES, LaunchConfigurationName: "lc" };
  expect(refusal("OS::Heat::InstanceGroup", properties, { depends_on: "lc" })).toBeNull();
});
