import type { Call, JsonObject } from "#provider/provider.ts";
import { objectsOf, textOf } from "../../values.ts";
import type { BackEnd } from "../back-end.ts";
import type { Network } from "../engine/networks.ts";
import { LABELS, type Labels, labelsOfId } from "../objects.ts";
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
