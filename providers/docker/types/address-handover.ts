/**
 * Moves fixed addresses from a server to its replacement. Heat detaches the ports of the old server
 * before it creates the new one, and attaches them again in a rollback. Here the creation of the
 * new server takes the addresses just before its start, and its delete gives them back. Records
 * remember who took which address.
 */
import type { At, BackEnd } from "../back-end.ts";
import { isSuccess, refusedBy } from "../engine/client.ts";
import type { Container } from "../engine/containers.ts";
import {
  dropRecord,
  LABELS,
  type Labels,
  labelsFor,
  labelsOfResource,
  recordsOf,
  takeRecord,
} from "../objects.ts";
import { ENDING } from "./ensure-container.ts";
import { ADDRESS } from "./free-addresses.ts";
import { serverName } from "./plan-server.ts";
import type { FixedEndpoint } from "./server-networks.ts";

const NETWORK = "hearth.network";
const FORMER = "hearth.former";
const TAKER = "hearth.taker";

interface Server {
  readonly id: string;
  readonly container: Container;
}

export type Place = Pick<FixedEndpoint, "address"> & {
  readonly network: Pick<FixedEndpoint["network"], "Id" | "Name">;
};

/** Podman 4.3 puts the name of a network in the place of its id. */
export const isAt = (
  { NetworkSettings: { Networks } }: Container,
  { network, address }: Place,
): boolean =>
  Object.entries(Networks ?? {}).some(
    ([name, { NetworkID: id, IPAddress }]) =>
      IPAddress === address && (name === network.Name || id === network.Id),
  );

export const givenAway = async (at: At, former: string): Promise<(place: Place) => boolean> => {
  const records = await recordsOf(at, "handover", {
    [LABELS.tenant]: at.call.tenant,
    [FORMER]: former,
  });
  return ({ network, address }) =>
    records.some((one) => one[NETWORK] === network.Id && one[ADDRESS] === address);
};

const inspect = async ({ containers }: BackEnd, id: string): Promise<Server | null> => {
  const container = await containers.inspect(serverName(id));
  return container === null ? null : { id, container };
};

const othersOf = async (at: At, id: string): Promise<readonly Server[]> => {
  const found = await at.containers.list({
    ...labelsOfResource(at.call),
    [LABELS.kind]: "server",
  });
  const ids = found.map(({ labels }) => labels[LABELS.id] ?? "").filter((one) => one !== id);
  const servers = await Promise.all(ids.map((one) => inspect(at, one)));
  return servers.filter((server) => server !== null);
};

const note = async (
  at: At,
  { network, address }: Place,
  { former, taker }: { readonly former: string; readonly taker: string },
): Promise<void> => {
  const key = `${taker}-${former}-${network.Id}-${address}`;
  await takeRecord(at, "handover", key, {
    ...labelsFor(at.call, "handover", key, ""),
    [NETWORK]: network.Id,
    [ADDRESS]: address,
    [FORMER]: former,
    [TAKER]: taker,
  });
};

const disconnect = async (backEnd: BackEnd, { id }: Server, place: Place): Promise<void> => {
  const answer = await backEnd.networks.disconnect(place.network.Id, serverName(id));
  if (isSuccess(answer)) return;
  const now = await inspect(backEnd, id);
  if (now !== null && isAt(now.container, place)) throw refusedBy(answer);
};

/** A server that gave the address away earlier may get it back from this one. */
const formersAt = (records: readonly Labels[], { network, address }: Place): readonly string[] =>
  records
    .filter((one) => one[NETWORK] === network.Id && one[ADDRESS] === address)
    .map((one) => one[FORMER] ?? "");

/**
 * Takes the addresses of older versions. `began` is when this call began, in milliseconds since
 * 1970: a late call must not take addresses from a newer version.
 */
export const takeAddresses = async (
  at: At,
  { taker, began }: { readonly taker: string; readonly began: number },
  places: readonly Place[],
): Promise<void> => {
  if (places.length === 0) return;
  const others = await othersOf(at, taker);
  const formers = others.filter(({ container }) => Date.parse(container.Created) < began);
  const records = await recordsOf(at, "handover", labelsOfResource(at.call));
  for (const place of places) {
    const holder = formers.find(({ container }) => isAt(container, place));
    const known = [...formersAt(records, place), ...(holder === undefined ? [] : [holder.id])];
    const noted = new Set(known.filter((id) => formers.some((one) => one.id === id)));
    for (const former of noted) await note(at, place, { former, taker });
    if (holder !== undefined) await disconnect(at, holder, place);
  }
};

/** If Podman refuses, it may keep a connection that has no effect. */
const connect = async (backEnd: BackEnd, { id }: Server, place: Place): Promise<void> => {
  const { network, address } = place;
  const endpoint = { IPAMConfig: { IPv4Address: address } };
  const answer = await backEnd.networks.connect(network.Id, serverName(id), endpoint);
  if (isSuccess(answer)) return;
  const now = await inspect(backEnd, id);
  if (now === null || ENDING.includes(now.container.State.Status)) return;
  if (isAt(now.container, place)) return;
  await backEnd.networks.disconnect(network.Id, serverName(id));
  throw refusedBy(answer);
};

/** Another version that has taken the address since gives it back itself. */
const giveBackTo = async (at: At, former: Server, record: Labels): Promise<void> => {
  const network = await at.networks.inspect(record[NETWORK] ?? "");
  if (network === null) return;
  const place = { network, address: record[ADDRESS] ?? "" };
  const others = await othersOf(at, former.id);
  if (others.some(({ container }) => isAt(container, place))) return;
  await connect(at, former, place);
};

const drop = (backEnd: BackEnd, record: Labels): Promise<boolean> =>
  dropRecord(backEnd, "handover", record[LABELS.id] ?? "");

/** When the server is gone, its addresses return to the newest older version that still exists. */
export const giveAddressesBack = async (at: At, gone: string): Promise<void> => {
  const records = await recordsOf(at, "handover", { [LABELS.tenant]: at.call.tenant });
  for (const record of records.filter((one) => one[FORMER] === gone)) await drop(at, record);
  const taken = await Promise.all(
    records
      .filter((one) => one[TAKER] === gone)
      .map(async (record) => ({ record, former: await inspect(at, record[FORMER] ?? "") })),
  );
  const made = ({ former }: (typeof taken)[number]): number =>
    Date.parse(former?.container.Created ?? "") || 0;
  for (const one of taken.toSorted((left, right) => made(right) - made(left))) {
    const { record, former } = one;
    if (former !== null) await giveBackTo(at, former, record);
    await drop(at, record);
  }
};
