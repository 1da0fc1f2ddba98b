import { expect, it } from "vitest";
import { type RefusedCase as Case, dependent, failed, refusal } from "../template-refusal.ts";

const conflict = (keys: string): string =>
  `ResourcePropertyConflict: Cannot define the following properties at the same time: ${keys}.`;
const unspecified = (keys: string): string =>
  `PropertyUnspecifiedError: At least one of the following properties must be specified: ${keys}.`;
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
