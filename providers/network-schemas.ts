/** Heat's properties and attributes of networks and volumes, for providers that have them all. */
import type { AttributeSchema, PropertySchemas } from "#provider/provider.ts";

interface ObjectSchemas {
  readonly properties: PropertySchemas;
  readonly attributes: readonly string[];
}

export const attributeSchemas = (
  names: readonly string[],
): Readonly<Record<string, AttributeSchema>> => Object.fromEntries(names.map((name) => [name, {}]));

export const NET_SCHEMAS = {
  properties: {
    name: { type: "string", updateAllowed: true },
    admin_state_up: { type: "boolean", default: true, updateAllowed: true },
    shared: { type: "boolean", default: false, updateAllowed: true },
    port_security_enabled: { type: "boolean", updateAllowed: true },
    dns_domain: { type: "string", updateAllowed: true },
    tags: { type: "list", updateAllowed: true },
  },
  attributes: [
    "status",
    "name",
    "subnets",
    "admin_state_up",
    "tenant_id",
    "port_security_enabled",
    "mtu",
    "qos_policy_id",
    "l2_adjacency",
    "segments",
  ],
} as const satisfies ObjectSchemas;

export const SUBNET_SCHEMAS = {
  properties: {
    network: { type: "string", required: true },
    cidr: { type: "string" },
    name: { type: "string", updateAllowed: true },
    ip_version: { type: "integer", default: 4 },
    gateway_ip: { type: "string", updateAllowed: true },
    enable_dhcp: { type: "boolean", default: true, updateAllowed: true },
    dns_nameservers: { type: "list", default: [], updateAllowed: true },
    allocation_pools: { type: "list", updateAllowed: true },
    host_routes: { type: "list", updateAllowed: true },
    tags: { type: "list", updateAllowed: true },
  },
  attributes: [
    "name",
    "network_id",
    "tenant_id",
    "allocation_pools",
    "gateway_ip",
    "host_routes",
    "ip_version",
    "cidr",
    "dns_nameservers",
    "enable_dhcp",
  ],
} as const satisfies ObjectSchemas;

export const PORT_SCHEMAS = {
  properties: {
    network: { type: "string", required: true },
    name: { type: "string", updateAllowed: true },
    fixed_ips: { type: "list", updateAllowed: true },
    security_groups: { type: "list", updateAllowed: true },
    admin_state_up: { type: "boolean", default: true, updateAllowed: true },
    mac_address: { type: "string" },
    allowed_address_pairs: { type: "list", updateAllowed: true },
    port_security_enabled: { type: "boolean", updateAllowed: true },
    tags: { type: "list", updateAllowed: true },
  },
  attributes: [
    "admin_state_up",
    "device_id",
    "device_owner",
    "fixed_ips",
    "mac_address",
    "name",
    "network_id",
    "security_groups",
    "status",
    "tenant_id",
    "allowed_address_pairs",
    "port_security_enabled",
    "qos_policy_id",
    "dns_assignment",
    "propagate_uplink_status",
  ],
} as const satisfies ObjectSchemas;

export const ROUTER_SCHEMAS = {
  properties: {
    name: { type: "string", updateAllowed: true },
    admin_state_up: { type: "boolean", default: true, updateAllowed: true },
    external_gateway_info: { type: "map", updateAllowed: true },
    distributed: { type: "boolean", updateAllowed: true },
    ha: { type: "boolean" },
    tags: { type: "list", updateAllowed: true },
  },
  attributes: ["status", "external_gateway_info", "name", "admin_state_up", "tenant_id"],
} as const satisfies ObjectSchemas;

export const FLOATING_IP_SCHEMAS = {
  properties: {
    floating_network: { type: "string", required: true },
    floating_subnet: { type: "string" },
    port_id: { type: "string", updateAllowed: true },
    fixed_ip_address: { type: "string", updateAllowed: true },
    floating_ip_address: { type: "string" },
  },
  attributes: [
    "router_id",
    "tenant_id",
    "floating_network_id",
    "fixed_ip_address",
    "floating_ip_address",
    "port_id",
  ],
} as const satisfies ObjectSchemas;

export const ROUTER_INTERFACE_PROPERTIES = {
  router: { type: "string", required: true },
  subnet: { type: "string" },
  port: { type: "string" },
} as const satisfies PropertySchemas;

export const FLOATING_IP_ASSOCIATION_PROPERTIES = {
  floatingip_id: { type: "string", required: true, updateAllowed: true },
  port_id: { type: "string", required: true, updateAllowed: true },
  fixed_ip_address: { type: "string", updateAllowed: true },
} as const satisfies PropertySchemas;

export const VOLUME_ATTACHMENT_PROPERTIES = {
  instance_uuid: { type: "string", required: true, updateAllowed: true },
  volume_id: { type: "string", required: true, updateAllowed: true },
  mountpoint: { type: "string", updateAllowed: true },
} as const satisfies PropertySchemas;

export const VOLUME_SCHEMAS = {
  properties: {
    size: { type: "integer", updateAllowed: true },
    name: { type: "string", updateAllowed: true },
    description: { type: "string", updateAllowed: true },
    volume_type: { type: "string", updateAllowed: true },
    metadata: { type: "map", default: {}, updateAllowed: true },
    image: { type: "string" },
    snapshot_id: { type: "string" },
    source_volid: { type: "string" },
    availability_zone: { type: "string" },
  },
  attributes: [
    "availability_zone",
    "size",
    "snapshot_id",
    "display_name",
    "display_description",
    "volume_type",
    "metadata",
    "source_volid",
    "status",
    "created_at",
    "bootable",
    "metadata_values",
    "encrypted",
    "attachments",
    "attachments_list",
    "multiattach",
  ],
} as const satisfies ObjectSchemas;
