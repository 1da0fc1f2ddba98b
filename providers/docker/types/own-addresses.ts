/**
 * Reserves addresses for a server from its creation on. Otherwise the engine would give the address
 * of a stopped container to the next one that starts.
 */
import type { Call } from "#provider/provider.ts";
import { nameOf } from "../../object-names.ts";
import type { BackEnd } from "../back-end.ts";
import { isOf, type Labels, labelsFor, labelsOfId } from "../objects.ts";
import { ADDRESS, freeAddresses, reserveAddress } from "./free-addresses.ts";
import { NET_ID } from "./net.ts";
import { type Endpoint, isFixed } from "./server-networks.ts";

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
