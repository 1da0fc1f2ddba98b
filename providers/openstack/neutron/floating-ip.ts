import { FLOATING_IP_SCHEMAS } from "../../network-schemas.ts";
import { textOf } from "../../values.ts";
import { idByName, PLACES } from "../names.ts";
import type { NeutronKind } from "./neutron-type.ts";

export const floatingIp: NeutronKind = {
  description: "An address of an external network.",
  collection: "floatingips",
  member: "floatingip",
  refuse: () => null,
  nameless: true,
  fixed: [
    "floating_network_id",
    "subnet_id",
    "floating_ip_address",
    "dns_name",
    "dns_domain",
    // This address can only change together with the port.
    "fixed_ip_address",
  ],
  body: async (at) => {
    const { properties } = at.call;
    const subnet = textOf(properties["floating_subnet"]);
    const network = textOf(properties["floating_network"]);
    return {
      floating_network_id: await idByName(at, PLACES.network, network),
      subnet_id: subnet === "" ? undefined : await idByName(at, PLACES.subnet, subnet),
      port_id: properties["port_id"] || undefined,
      fixed_ip_address: properties["fixed_ip_address"] || undefined,
      floating_ip_address: properties["floating_ip_address"] || undefined,
      dns_name: properties["dns_name"] || undefined,
      dns_domain: properties["dns_domain"] || undefined,
    };
  },
  ...FLOATING_IP_SCHEMAS,
};
