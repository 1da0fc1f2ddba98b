/** As in Heat, addresses are listed under the name and the id of each network. */
import type { Json, JsonObject } from "#provider/provider.ts";
import type { BackEnd } from "../back-end.ts";
import type { Container } from "../engine/containers.ts";
import { LABELS } from "../objects.ts";
import { NET_ID, netOf } from "./net.ts";

const namesFor = async (
  backEnd: BackEnd,
  tenant: string,
  own: string,
  id: string,
): Promise<readonly string[]> => {
  const network = await backEnd.networks.inspect(id === "" ? own : id);
  const netId = network?.Labels[NET_ID];
  if (netId === undefined) return [own, network?.Id ?? id];
  const net = await netOf(backEnd, tenant, netId);
  return [net?.[LABELS.name] ?? own, netId];
};

export const networksIn = async (
  backEnd: BackEnd,
  { Config, NetworkSettings }: Container,
): Promise<JsonObject> => {
  // A network may have any name, such as that of a member of all objects.
  const networks = new Map<string, Json>();
  const addresses = new Map<string, Json>();
  let first = "";
  for (const [own, endpoint] of Object.entries(NetworkSettings.Networks ?? {})) {
    const { IPAddress: address, MacAddress: mac, NetworkID: id } = endpoint;
    if (address === "") continue;
    first ||= address;
    const tenant = Config.Labels[LABELS.tenant] ?? "";
    for (const name of await namesFor(backEnd, tenant, own, id)) {
      networks.set(name, [address]);
      addresses.set(name, [
        {
          addr: address,
          version: 4,
          "OS-EXT-IPS:type": "fixed",
          "OS-EXT-IPS-MAC:mac_addr": mac,
          port: null,
          subnets: [],
          network: {},
        },
      ]);
    }
  }
  return {
    networks: Object.fromEntries(networks),
    addresses: Object.fromEntries(addresses),
    first_address: first,
  };
};
