/** The addresses of a network that a port or a server can still have. Records reserve them. */
import type { Call } from "#provider/provider.ts";
import { addressOf, numberOf, type Range, rangeOf } from "../../ipv4.ts";
import type { BackEnd } from "../back-end.ts";
import type { Network } from "../engine/networks.ts";
import { isOf, type Kind, type Labels } from "../objects.ts";
import { NET_ID } from "./net.ts";
import { recordsOf, takeRecord } from "./records.ts";

export const ADDRESS = "hearth.address";
/** Each try is a call of the engine. It fails if somebody else is faster. */
const TRIES_MAX = 64;

export interface AddressRange {
  readonly cidr: string;
  readonly gateway: string;
  readonly range: Range;
}

/** Null: the network has no range of IPv4 addresses. */
export const rangeOfNetwork = ({ IPAM }: Network): AddressRange | null => {
  const [config] = IPAM.Config ?? [];
  const cidr = config?.Subnet ?? "";
  const range = rangeOf(cidr);
  return range === null ? null : { cidr, gateway: config?.Gateway ?? "", range };
};

const reservedIn = async (backEnd: BackEnd, netId: string): Promise<readonly Labels[]> => {
  const kinds: readonly Kind[] = ["port", "address"];
  const found = await Promise.all(
    kinds.map((kind) => recordsOf(backEnd, kind, { [NET_ID]: netId })),
  );
  return found.flat();
};

const addressIn = (labels: Labels): string => labels[ADDRESS] ?? "";

/** What runs without a record: a container of the user's, or of a former version. */
const heldByContainers = async ({ containers }: BackEnd): Promise<readonly string[]> =>
  (await containers.list({})).flatMap(({ addresses }) => addresses);

/**
 * The engine itself chooses from below, and so do servers. Ports are from above. An address that
 * the call has reserved comes first: a request of it that was cut off may arrive at any time.
 */
export const freeAddresses = async (
  backEnd: BackEnd,
  call: Call,
  network: Network,
  from: "below" | "above",
): Promise<readonly string[]> => {
  const known = rangeOfNetwork(network);
  if (known === null) return [];
  const { range, gateway } = known;
  const reserved = await reservedIn(backEnd, network.Labels[NET_ID] ?? "");
  const held = await heldByContainers(backEnd);
  const taken = new Set(
    [...reserved.map(addressIn), ...held].map(numberOf).concat(numberOf(gateway)),
  );
  const [lowest, highest] = [range.first + 1, range.last - 1];
  const found = reserved.filter((labels) => isOf(labels, call)).map(addressIn);
  for (let step = 0; step <= highest - lowest && found.length < TRIES_MAX; step += 1) {
    const number = from === "below" ? lowest + step : highest - step;
    if (!taken.has(number)) found.push(addressOf(number));
  }
  return found;
};

/** The labels of the record that has the address: these, or somebody else's. */
export const reserveAddress = (
  backEnd: BackEnd,
  netId: string,
  address: string,
  labels: Labels,
): Promise<Labels> =>
  takeRecord(backEnd, "port", `${netId}-${address}`, {
    ...labels,
    [NET_ID]: netId,
    [ADDRESS]: address,
  });
