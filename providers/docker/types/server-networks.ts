import type { Call, Json, JsonObject } from "#provider/provider.ts";
import { nameOf } from "#providers/object-names.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import type { BackEnd } from "../back-end.ts";
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

const byName = async (backEnd: BackEnd, { tenant }: Call, name: string): Promise<OneEndpoint> => {
  const net = await netOf(backEnd, tenant, name);
  if (net !== null) {
    const [network] = await backEnd.networks.list({ [NET_ID]: net[LABELS.id] ?? "" });
    return network === undefined
      ? { state: "waiting", net: net[LABELS.name] ?? name }
      : { state: "found", endpoint: { network, address: null } };
  }
  const network = await backEnd.networks.inspect(name);
  if (network === null || !isOpenTo(network.Labels, tenant)) return missing("Network", name);
  if (NOT_TO_JOIN.includes(network.Name)) {
    return { state: "failed", why: `a server cannot join the network ${network.Name}` };
  }
  return { state: "found", endpoint: { network, address: null } };
};

const bySubnet = async (backEnd: BackEnd, { tenant }: Call, id: string): Promise<OneEndpoint> => {
  const [network] = await backEnd.networks.list(labelsOfId(tenant, "subnet", id));
  if (network === undefined) return missing("Subnet", id);
  return { state: "found", endpoint: { network, address: null } };
};

const byPort = async (backEnd: BackEnd, { tenant }: Call, id: string): Promise<OneEndpoint> => {
  const port = await portOf(backEnd, tenant, id);
  if (port === null) return missing("Port", id);
  const [network] = await backEnd.networks.list({ [NET_ID]: port.netId });
  if (network !== undefined)
    return { state: "found", endpoint: { network, address: port.address } };
  const net = await netOf(backEnd, tenant, port.netId);
  return { state: "waiting", net: net?.[LABELS.name] ?? port.netId };
};

const one = async (backEnd: BackEnd, call: Call, given: JsonObject): Promise<OneEndpoint> => {
  const [port, subnet, network] = [given["port"], given["subnet"], given["network"]].map(textOf);
  if (port) return byPort(backEnd, call, port);
  const found = subnet
    ? await bySubnet(backEnd, call, subnet)
    : await byName(backEnd, call, network ?? "");
  const fixed = textOf(given["fixed_ip"]);
  if (found.state !== "found" || fixed === "") return found;
  return { state: "found", endpoint: { ...found.endpoint, address: fixed } };
};

const isNone = (given: JsonObject): boolean => given["allocate_network"] === "none";

const networksOf = ({ defaultNetwork }: BackEnd, { properties }: Call): readonly JsonObject[] => {
  const named = objectsOf(properties["networks"]);
  return named.length === 0 && defaultNetwork !== null ? [{ network: defaultNetwork }] : named;
};

/** Without endpoints the server is in the engine's own bridge. */
export const endpointsOf = async (backEnd: BackEnd, call: Call): Promise<Endpoints> => {
  const networks = networksOf(backEnd, call);
  if (networks.some(isNone)) return { state: "found", endpoints: [], isolated: true };
  const endpoints: Endpoint[] = [];
  for (const given of networks) {
    const found = await one(backEnd, call, given);
    if (found.state !== "found") return found;
    endpoints.push(found.endpoint);
  }
  return { state: "found", endpoints, isolated: false };
};

/**
 * Reserves addresses for a server from its creation on. Otherwise the engine would give the address
 * of a stopped container to the next one that starts.
 */

const recordsOf = async ({ volumes }: BackEnd, tenant: string, id: string) =>
  volumes.list(labelsOfId(tenant, "address", id));

const netIdOf = ({ network }: Endpoint): string => network.Labels[NET_ID] ?? "";

export const withKeptAddresses = async (
  backEnd: BackEnd,
  { tenant }: Call,
  id: string,
  endpoints: readonly Endpoint[],
): Promise<readonly Endpoint[]> => {
  if (endpoints.every(isFixed)) return endpoints;
  const kept = new Map(
    (await recordsOf(backEnd, tenant, id)).map(
      ({ Labels: labels }) => [labels[NET_ID] ?? "", labels[ADDRESS] ?? null] as const,
    ),
  );
  return endpoints.map((endpoint) => ({
    ...endpoint,
    address: endpoint.address ?? kept.get(netIdOf(endpoint)) ?? null,
  }));
};

/** @returns null when the engine chooses: the network is not Hearth's, or has no free address */
const reserved = async (
  backEnd: BackEnd,
  call: Call,
  endpoint: Endpoint,
  labels: Labels,
): Promise<string | null> => {
  if (netIdOf(endpoint) === "") return null;
  for (const address of await freeAddresses(backEnd, call, endpoint.network, "below")) {
    if (isOf(await reserveAddress(backEnd, netIdOf(endpoint), address, labels), call))
      return address;
  }
  return null;
};

export const withOwnAddresses = async (
  backEnd: BackEnd,
  call: Call,
  id: string,
  endpoints: readonly Endpoint[],
): Promise<readonly Endpoint[]> => {
  const labels = labelsFor(call, "address", id, nameOf(call, id));
  const found: Endpoint[] = [];
  for (const endpoint of await withKeptAddresses(backEnd, call, id, endpoints)) {
    const address = endpoint.address ?? (await reserved(backEnd, call, endpoint, labels));
    found.push({ ...endpoint, address });
  }
  return found;
};

export const dropOwnAddresses = async (
  backEnd: BackEnd,
  { tenant }: Call,
  id: string,
): Promise<void> => {
  for (const { Name: name } of await recordsOf(backEnd, tenant, id)) {
    await backEnd.volumes.remove(name);
  }
};

/** As in Heat, addresses are listed under the name and the id of each network. */

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
