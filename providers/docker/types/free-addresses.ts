import { addressOf, numberOf, rangeOf } from "../../ipv4.ts";
import type { At, BackEnd } from "../back-end.ts";
import type { Network } from "../engine/networks.ts";
import { isOf, type Kind, type Labels, recordsOf, takeRecord } from "../objects.ts";
import { NET_ID } from "./net.ts";

export const ADDRESS = "hearth.address";
/** Each attempt is one call of the engine, and fails if another caller is faster. */
const TRIES_MAX = 64;

/** The range is null unless it has IPv4 addresses. */
export const addressesOf = ({ IPAM }: Network) => {
  const [{ Subnet: cidr = "", Gateway: gateway = "" } = {}] = IPAM.Config ?? [];
  return { cidr, gateway, range: rangeOf(cidr) };
};

const reservedIn = async (backEnd: BackEnd, netId: string): Promise<readonly Labels[]> => {
  const kinds: readonly Kind[] = ["port", "address"];
  const found = await Promise.all(
    kinds.map((kind) => recordsOf(backEnd, kind, { [NET_ID]: netId })),
  );
  return found.flat();
};

const addressIn = (labels: Labels): string => labels[ADDRESS] ?? "";

/**
 * The engine and servers choose from the lowest address up, and ports from the highest down. An
 * address that this call has already reserved comes first, because a request of the call that was
 * cut off may still arrive.
 */
export const freeAddresses = async (
  at: At,
  network: Network,
  from: "below" | "above",
): Promise<readonly string[]> => {
  const { range, gateway } = addressesOf(network);
  if (range === null) return [];
  const reserved = await reservedIn(at, network.Labels[NET_ID] ?? "");
  // Containers without a record have addresses too, such as a user's own.
  const held = (await at.containers.list({})).flatMap(({ addresses }) => addresses);
  const taken = new Set(
    [...reserved.map(addressIn), ...held].map(numberOf).concat(numberOf(gateway)),
  );
  const [lowest, highest] = [range.first + 1, range.last - 1];
  const found = reserved.filter((labels) => isOf(labels, at.call)).map(addressIn);
  for (let step = 0; step <= highest - lowest && found.length < TRIES_MAX; step += 1) {
    const number = from === "below" ? lowest + step : highest - step;
    if (!taken.has(number)) found.push(addressOf(number));
  }
  return found;
};

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
