import type { Json, JsonObject } from "#provider/provider.ts";
import { nameOf } from "#providers/object-names.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import type { At } from "../back-end.ts";
import type { Container } from "../engine/containers.ts";
import type { Network } from "../engine/networks.ts";
import { isOf, LABELS, type Labels, labelsFor, labelsOfId } from "../objects.ts";
import { ADDRESS, freeAddresses, reserveAddress } from "./free-addresses.ts";
import { NET_ID, netOf } from "./net.ts";
import { portOf } from "./port.ts";

export interface Endpoint {
  readonly network: Network;
  readonly address: string | null;
}

export interface FixedEndpoint extends Endpoint {
  readonly address: string;
}

export const isFixed = (endpoint: Endpoint): endpoint is FixedEndpoint => endpoint.address !== null;

export type Endpoints =
  | { readonly state: "found"; readonly endpoints: readonly Endpoint[]; readonly isolated: boolean }
  | { readonly state: "waiting"; readonly net: string }
  | { readonly state: "failed"; readonly why: string };

type OneEndpoint =
  | { readonly state: "found"; readonly endpoint: Endpoint }
  | Exclude<Endpoints, { state: "found" }>;

const missing = (what: string, name: string): OneEndpoint => ({
  state: "failed",
  why: `The ${what} (${name}) could not be found.`,
});

/** Networks without Hearth's labels are open to all projects. */
const isOpenTo = (labels: Labels, tenant: string): boolean =>
  (labels[LABELS.tenant] ?? tenant) === tenant;

const NOT_TO_JOIN: readonly string[] = ["host", "none"];

const byName = async (at: At, name: string): Promise<OneEndpoint> => {
  const net = await netOf(at, name);
  if (net !== null) {
    const [network] = await at.networks.list({ [NET_ID]: net[LABELS.id] ?? "" });
    return network === undefined
      ? { state: "waiting", net: net[LABELS.name] ?? name }
      : { state: "found", endpoint: { network, address: null } };
  }
  const network = await at.networks.inspect(name);
  if (network === null || !isOpenTo(network.Labels, at.call.tenant))
    return missing("Network", name);
  if (NOT_TO_JOIN.includes(network.Name)) {
    return { state: "failed", why: `a server cannot join the network ${network.Name}` };
  }
  return { state: "found", endpoint: { network, address: null } };
};

const bySubnet = async (at: At, id: string): Promise<OneEndpoint> => {
  const [network] = await at.networks.list(labelsOfId(at.call.tenant, "subnet", id));
  if (network === undefined) return missing("Subnet", id);
  return { state: "found", endpoint: { network, address: null } };
};

const byPort = async (at: At, id: string): Promise<OneEndpoint> => {
  const port = await portOf(at, id);
  if (port === null) return missing("Port", id);
  const [network] = await at.networks.list({ [NET_ID]: port.netId });
  if (network !== undefined)
    return { state: "found", endpoint: { network, address: port.address } };
  const net = await netOf(at, port.netId);
  return { state: "waiting", net: net?.[LABELS.name] ?? port.netId };
};

const one = async (at: At, given: JsonObject): Promise<OneEndpoint> => {
  const [port, subnet, network] = [given["port"], given["subnet"], given["network"]].map(textOf);
  if (port) return byPort(at, port);
  const found = subnet ? await bySubnet(at, subnet) : await byName(at, network ?? "");
  const fixed = textOf(given["fixed_ip"]);
  if (found.state !== "found" || fixed === "") return found;
  return { state: "found", endpoint: { ...found.endpoint, address: fixed } };
};

const isNone = (given: JsonObject): boolean => given["allocate_network"] === "none";

const networksOf = ({ defaultNetwork, call }: At): readonly JsonObject[] => {
  const named = objectsOf(call.properties["networks"]);
  return named.length === 0 && defaultNetwork !== null ? [{ network: defaultNetwork }] : named;
};

/** Without endpoints the server is in the engine's own bridge. */
export const endpointsOf = async (at: At): Promise<Endpoints> => {
  const networks = networksOf(at);
  if (networks.some(isNone)) return { state: "found", endpoints: [], isolated: true };
  const endpoints: Endpoint[] = [];
  for (const given of networks) {
    const found = await one(at, given);
    if (found.state !== "found") return found;
    endpoints.push(found.endpoint);
  }
  return { state: "found", endpoints, isolated: false };
};

const recordsOf = ({ volumes, call }: At, id: string) =>
  volumes.list(labelsOfId(call.tenant, "address", id));

const netIdOf = ({ network }: Endpoint): string => network.Labels[NET_ID] ?? "";

export const withKeptAddresses = async (
  at: At,
  id: string,
  endpoints: readonly Endpoint[],
): Promise<readonly Endpoint[]> => {
  if (endpoints.every(isFixed)) return endpoints;
  const kept = new Map(
    (await recordsOf(at, id)).map(
      ({ Labels: labels }) => [labels[NET_ID] ?? "", labels[ADDRESS] ?? null] as const,
    ),
  );
  return endpoints.map((endpoint) => ({
    ...endpoint,
    address: endpoint.address ?? kept.get(netIdOf(endpoint)) ?? null,
  }));
};

/** @returns null when the engine chooses: the network is not Hearth's, or has no free address */
const reserved = async (at: At, endpoint: Endpoint, labels: Labels): Promise<string | null> => {
  if (netIdOf(endpoint) === "") return null;
  for (const address of await freeAddresses(at, endpoint.network, "below")) {
    if (isOf(await reserveAddress(at, netIdOf(endpoint), address, labels), at.call)) return address;
  }
  return null;
};

/**
 * Reserves addresses for a server from its creation on. Otherwise the engine would give the address
 * of a stopped container to the next one that starts.
 */
export const withOwnAddresses = async (
  at: At,
  id: string,
  endpoints: readonly Endpoint[],
): Promise<readonly Endpoint[]> => {
  const labels = labelsFor(at.call, "address", id, nameOf(at.call, id));
  const found: Endpoint[] = [];
  for (const endpoint of await withKeptAddresses(at, id, endpoints)) {
    const address = endpoint.address ?? (await reserved(at, endpoint, labels));
    found.push({ ...endpoint, address });
  }
  return found;
};

export const dropOwnAddresses = async (at: At, id: string): Promise<void> => {
  for (const { Name: name } of await recordsOf(at, id)) {
    await at.volumes.remove(name);
  }
};

const namesFor = async (at: At, own: string, id: string): Promise<readonly string[]> => {
  const network = await at.networks.inspect(id === "" ? own : id);
  const netId = network?.Labels[NET_ID];
  if (netId === undefined) return [own, network?.Id ?? id];
  const net = await netOf(at, netId);
  return [net?.[LABELS.name] ?? own, netId];
};

/** As in Heat, addresses are listed under the name and the id of each network. */
export const networksIn = async (at: At, { NetworkSettings }: Container): Promise<JsonObject> => {
  // A network may have any name, such as that of a member of all objects.
  const networks = new Map<string, Json>();
  const addresses = new Map<string, Json>();
  let first = "";
  for (const [own, endpoint] of Object.entries(NetworkSettings.Networks ?? {})) {
    const { IPAddress: address, MacAddress: mac, NetworkID: id } = endpoint;
    if (address === "") continue;
    first ||= address;
    for (const name of await namesFor(at, own, id)) {
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
