import type { Json, JsonObject } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { ROUTER_SCHEMAS } from "../../network-schemas.ts";
import { isObject, objectsOf, textOf } from "../../values.ts";
import { type At, OWN_PROJECT } from "../asked.ts";
import { idByName, PLACES } from "../names.ts";
import type { NeutronKind } from "./neutron-type.ts";

const ROUTER: Empties = {
  tenant_id: OWN_PROJECT,
  l3_agent_id: "only an administrator may choose agents",
  l3_agent_ids: "only an administrator may choose agents",
};

export const refuseRouter: Refuse = (properties) => refuseFilled(properties, ROUTER);

const addressesOf = (at: At, given: Json | undefined): Promise<readonly JsonObject[]> =>
  Promise.all(
    objectsOf(given).map(async ({ ip_address: address, subnet }) => ({
      ...(textOf(address) === "" ? {} : { ip_address: textOf(address) }),
      ...(textOf(subnet) === ""
        ? {}
        : { subnet_id: await idByName(at, PLACES.subnet, textOf(subnet)) }),
    })),
  );

const gatewayOf = async (at: At): Promise<JsonObject | undefined> => {
  const { external_gateway_info: given } = at.call.properties;
  if (!isObject(given)) return undefined;
  const { network, enable_snat: translates, external_fixed_ips: addresses } = given;
  const fixed = await addressesOf(at, addresses);
  return {
    network_id: await idByName(at, PLACES.network, textOf(network)),
    ...(typeof translates === "boolean" ? { enable_snat: translates } : {}),
    ...(fixed.length === 0 ? {} : { external_fixed_ips: fixed }),
  };
};

export const router: NeutronKind = {
  description: "A router between networks.",
  collection: "routers",
  member: "router",
  refuse: refuseRouter,
  tagged: true,
  fixed: ["availability_zone_hints", "ha"],
  body: async (at) => {
    const { properties } = at.call;
    return {
      admin_state_up: properties["admin_state_up"] !== false,
      external_gateway_info: await gatewayOf(at),
      distributed: properties["distributed"] ?? undefined,
      ha: properties["ha"] ?? undefined,
      availability_zone_hints: properties["availability_zone_hints"] ?? undefined,
    };
  },
  ...ROUTER_SCHEMAS,
};
