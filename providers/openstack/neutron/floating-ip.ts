import * as z from "zod/mini";
import type { Answer, Json, ObjectCall, ProvidedType } from "#provider/provider.ts";
import {
  FLOATING_IP_ASSOCIATION_PROPERTIES,
  FLOATING_IP_SCHEMAS,
} from "#providers/network-schemas.ts";
import { textOf } from "#providers/values.ts";
import { type At, askNeutron, type Site, stepsAtOnceIn } from "../asked.ts";
import { readAnswer, readIfThere } from "../cloud.ts";
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

const floatingIpBody = z.object({ floatingip: z.object({ port_id: z.nullable(z.string()) }) });

const put = (at: At, id: string, members: Record<string, Json>) =>
  askNeutron(at, { method: "PUT", path: `/floatingips/${id}`, json: { floatingip: members } });

const portOf = async (at: At<ObjectCall>): Promise<string | null> => {
  const path = `/floatingips/${at.call.physicalId}`;
  const answer = await askNeutron(at, { method: "GET", path });
  return readIfThere(floatingIpBody, answer)?.floatingip.port_id ?? null;
};

const associate = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  const id = textOf(properties["floatingip_id"]);
  const address = textOf(properties["fixed_ip_address"]);
  const answer = await put(at, id, {
    port_id: textOf(properties["port_id"]),
    ...(address === "" ? {} : { fixed_ip_address: address }),
  });
  readAnswer(floatingIpBody, answer);
  return { state: "finished", physicalId: id };
};

const update = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId, properties } = at.call;
  return textOf(properties["floatingip_id"]) === physicalId ? associate(at) : { state: "replace" };
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const isOurs = (await portOf(at)) === textOf(at.call.properties["port_id"]);
  return { state: isOurs ? "finished" : "gone" };
};

/** The address may belong to another port by now, and then this resource must not change it. */
const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId, properties } = at.call;
  const port = await portOf(at);
  if (port === null || port !== textOf(properties["port_id"])) return { state: "finished" };
  readIfThere(floatingIpBody, await put(at, physicalId, { port_id: null }));
  return { state: "finished" };
};

/** OS::Neutron::FloatingIPAssociation. Its physical id is that of the floating IP. */
export const floatingIpAssociation = (site: Site): ProvidedType => ({
  description: "A floating IP that leads to a port.",
  properties: FLOATING_IP_ASSOCIATION_PROPERTIES,
  tokens: "kept",
  ...stepsAtOnceIn(site, { create: associate, update, remove, check }),
  repairable: true,
});
