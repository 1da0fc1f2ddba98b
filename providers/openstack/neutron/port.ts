import type { Json, JsonObject } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { PORT_SCHEMAS } from "../../network-schemas.ts";
import { listOf, objectsOf, textOf } from "../../values.ts";
import type { At } from "../asked.ts";
import { idByName, PLACES } from "../names.ts";
import { QOS } from "./net.ts";
import type { NeutronKind } from "./neutron-type.ts";

const PORT: Empties = { qos_policy: QOS };

export const refusePort: Refuse = (properties) => refuseFilled(properties, PORT);

const addressesOf = async (at: At): Promise<Json | undefined> => {
  const { properties } = at.call;
  if (properties["no_fixed_ips"] === true) return [];
  const given = objectsOf(properties["fixed_ips"]);
  if (given.length === 0) return undefined;
  return Promise.all(
    given.map(async ({ subnet, ip_address: address }): Promise<JsonObject> => {
      const name = textOf(subnet);
      return {
        ...(name === "" ? {} : { subnet_id: await idByName(at, PLACES.subnet, name) }),
        ...(textOf(address) === "" ? {} : { ip_address: textOf(address) }),
      };
    }),
  );
};

export const groupIds = async (at: At, given: Json | undefined): Promise<readonly string[]> =>
  Promise.all(listOf(given).map((one) => idByName(at, PLACES.securityGroup, textOf(one))));

const pairsOf = (given: Json | undefined): Json | undefined => {
  if (given === undefined || given === null) return undefined;
  return objectsOf(given).map(({ mac_address: mac, ip_address: ip = null }) => ({
    ip_address: ip,
    ...(textOf(mac) === "" ? {} : { mac_address: textOf(mac) }),
  }));
};

export const port: NeutronKind = {
  description: "A port of a network.",
  collection: "ports",
  member: "port",
  refuse: refusePort,
  tagged: true,
  fixed: ["network_id", "mac_address"],
  body: async (at) => {
    const { properties } = at.call;
    const { security_groups: groups, "binding:vnic_type": kind } = properties;
    return {
      network_id: await idByName(at, PLACES.network, textOf(properties["network"])),
      admin_state_up: properties["admin_state_up"] !== false,
      fixed_ips: await addressesOf(at),
      security_groups:
        groups === undefined || groups === null ? undefined : await groupIds(at, groups),
      mac_address: properties["mac_address"] ?? undefined,
      // The server that names the port sets these. An empty text would detach the port.
      device_id: properties["device_id"] || undefined,
      device_owner: properties["device_owner"] || undefined,
      dns_name: properties["dns_name"] ?? undefined,
      allowed_address_pairs: pairsOf(properties["allowed_address_pairs"]),
      port_security_enabled: properties["port_security_enabled"] ?? undefined,
      propagate_uplink_status: properties["propagate_uplink_status"] ?? undefined,
      "binding:vnic_type": kind === "normal" ? undefined : (kind ?? undefined),
    };
  },
  ...PORT_SCHEMAS,
};
