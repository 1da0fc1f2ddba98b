import { NET_SCHEMAS } from "../../network-schemas.ts";
import { type Empties, type Refuse, refuseFilled } from "../../refused-properties.ts";
import { OWN_PROJECT } from "../refusals.ts";
import type { NeutronKind } from "./neutron-type.ts";

export const QOS = "give its id as value_specs: {qos_policy_id: ID}";

const NET: Empties = {
  tenant_id: OWN_PROJECT,
  dhcp_agent_ids: "only an administrator may choose agents",
  qos_policy: QOS,
};

export const refuseNet: Refuse = (properties) => refuseFilled(properties, NET);

export const net: NeutronKind = {
  description: "A network.",
  collection: "networks",
  member: "network",
  refuse: refuseNet,
  tagged: true,
  fixed: ["availability_zone_hints"],
  body: async ({ call: { properties } }) => ({
    admin_state_up: properties["admin_state_up"] !== false,
    // Only an administrator may send `shared`, even as false.
    shared: properties["shared"] === true ? true : undefined,
    port_security_enabled: properties["port_security_enabled"] ?? undefined,
    dns_domain: properties["dns_domain"] ?? undefined,
    availability_zone_hints: properties["availability_zone_hints"] ?? undefined,
  }),
  ...NET_SCHEMAS,
};
