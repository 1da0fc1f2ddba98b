import { textOf } from "../../values.ts";
import { refuseLongDescription } from "../marks.ts";
import { idByName, PLACES } from "../names.ts";
import type { NeutronKind } from "./neutron-type.ts";
import { ruleOf } from "./security-group.ts";

export const securityGroupRule: NeutronKind = {
  description: "A rule of a group.",
  collection: "security-group-rules",
  member: "security_group_rule",
  refuse: refuseLongDescription,
  nameless: true,
  // Neutron cannot change a rule.
  fixed: [
    "security_group_id",
    "direction",
    "ethertype",
    "protocol",
    "port_range_min",
    "port_range_max",
    "remote_group_id",
    "remote_ip_prefix",
  ],
  body: async (at) => {
    const { properties } = at.call;
    const group = textOf(properties["security_group"]);
    return ruleOf(at, properties, await idByName(at, PLACES.securityGroup, group));
  },
  properties: {
    security_group: { type: "string", required: true },
    description: { type: "string" },
    direction: { type: "string", default: "ingress" },
    ethertype: { type: "string", default: "IPv4" },
    port_range_min: { type: "integer" },
    port_range_max: { type: "integer" },
    protocol: { type: "string" },
    remote_group: { type: "string" },
    remote_ip_prefix: { type: "string" },
  },
  attributes: [],
};
