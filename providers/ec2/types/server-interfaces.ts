/**
 * Compares the interfaces of an instance with the template's networks, without the first one, which
 * never changes. Interfaces that Hearth makes for a server have its id in a tag.
 */
import type { Instance, InstanceNetworkInterface, NetworkInterface } from "@aws-sdk/client-ec2";
import type { JsonObject, ObjectCall } from "#provider/provider.ts";
import { TryAgain } from "#providers/cloud-control/client.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import { type At, Impossible } from "../account.ts";
import { INTERFACES, reach, type Seen } from "../objects/looks.ts";
import { TAGS, withTag } from "../tags.ts";
import { placeIn, subnetsOf } from "./server-networks.ts";

export interface WantedInterface {
  readonly place: number;
  readonly port: string | null;
  readonly subnets: readonly string[];
  readonly address: string;
}

interface Missing {
  readonly wanted: WantedInterface;
  readonly id: string | null;
}

export interface InterfacePlan {
  readonly surplus: readonly InstanceNetworkInterface[];
  readonly unused: readonly Seen<NetworkInterface>[];
  readonly missing: readonly Missing[];
  readonly marked: ReadonlySet<string>;
  readonly isSettled: boolean;
}

export const markedInterfaces = (
  at: At<ObjectCall>,
): Promise<readonly Seen<NetworkInterface>[]> => {
  const { physicalId, tenant } = at.call;
  const filters = [withTag(TAGS.id, physicalId), withTag(TAGS.tenant, tenant)];
  return INTERFACES.look(at, { filters });
};

const wantedOf = async (at: At, place: number, given: JsonObject): Promise<WantedInterface> => {
  const port = textOf(given["port"]);
  if (port !== "") {
    const { id } = await reach(at, INTERFACES, port);
    return { place, port: id, subnets: [], address: "" };
  }
  const wanted = placeIn(given);
  const subnets = await subnetsOf(at, wanted);
  return { place, port: null, subnets, address: wanted.address };
};

const networksAfterFirst = (properties: JsonObject | null): readonly [number, JsonObject][] =>
  [...objectsOf(properties?.["networks"]).entries()].slice(1);

const wantedBy = async (at: At): Promise<readonly WantedInterface[]> => {
  const wanted: WantedInterface[] = [];
  for (const [place, given] of networksAfterFirst(at.call.properties)) {
    wanted.push(await wantedOf(at, place, given));
  }
  // Ports and fixed addresses choose first, because the others can use any interface.
  const rank = ({ port, address }: WantedInterface): number =>
    port !== null ? 0 : address !== "" ? 1 : 2;
  return wanted.toSorted((one, other) => rank(one) - rank(other));
};

const formerlyWanted = async (at: At): Promise<readonly WantedInterface[]> => {
  const found: WantedInterface[] = [];
  for (const [place, given] of networksAfterFirst(at.call.previousProperties)) {
    try {
      found.push(await wantedOf(at, place, given));
    } catch (error) {
      if (!(error instanceof Impossible || error instanceof TryAgain)) throw error;
    }
  }
  return found;
};

const idOf = ({ NetworkInterfaceId = "" }: InstanceNetworkInterface): string => NetworkInterfaceId;

const isAt = (
  { subnets, address }: WantedInterface,
  { SubnetId = "", PrivateIpAddress }: Pick<NetworkInterface, "SubnetId" | "PrivateIpAddress">,
): boolean => subnets.includes(SubnetId) && (address === "" || address === PrivateIpAddress);

/** An interface that was made with the instance is deleted with it. A port is not. */
export const cameWithInstance = ({ Attachment }: InstanceNetworkInterface): boolean =>
  Attachment?.DeleteOnTermination === true;

interface Found {
  readonly others: readonly InstanceNetworkInterface[];
  readonly marked: readonly Seen<NetworkInterface>[];
  readonly wanted: readonly WantedInterface[];
}

const assigned = ({ others, marked, wanted }: Found) => {
  const ports = new Set(wanted.flatMap(({ port }) => port ?? []));
  const markedIds = new Set(marked.map(({ id }) => id));
  const attached = new Set(others.map(idOf));
  const taken = new Set<string>();
  const isFree = (id: string): boolean => !taken.has(id) && !ports.has(id);
  const isOwn = (one: InstanceNetworkInterface): boolean =>
    markedIds.has(idOf(one)) || cameWithInstance(one);
  const missing: Missing[] = [];
  for (const one of wanted) {
    const there = others.find((other) =>
      one.port === null
        ? isOwn(other) && isFree(idOf(other)) && isAt(one, other)
        : idOf(other) === one.port,
    );
    const loose = marked.find(({ id, own }) => !attached.has(id) && isFree(id) && isAt(one, own));
    const id = there === undefined ? (one.port ?? loose?.id ?? null) : idOf(there);
    if (id !== null) taken.add(id);
    if (there === undefined) missing.push({ wanted: one, id });
  }
  return { taken, missing, markedIds, attached };
};

/** An interface that somebody else has attached stays. */
const surplusOf = async (
  at: At,
  free: readonly InstanceNetworkInterface[],
  marked: ReadonlySet<string>,
): Promise<readonly InstanceNetworkInterface[]> => {
  if (free.length === 0) return [];
  const former = await formerlyWanted(at);
  return free.filter(
    (one) =>
      marked.has(idOf(one)) ||
      former.some((was) =>
        was.port === null ? cameWithInstance(one) && isAt(was, one) : was.port === idOf(one),
      ),
  );
};

export const planInterfaces = async (
  at: At<ObjectCall>,
  { NetworkInterfaces = [] }: Instance,
): Promise<InterfacePlan> => {
  const others = NetworkInterfaces.filter(({ Attachment }) => Attachment?.DeviceIndex !== 0);
  const marked = await markedInterfaces(at);
  const wanted = await wantedBy(at);
  const { taken, missing, markedIds, attached } = assigned({ others, marked, wanted });
  const free = others.filter((one) => !taken.has(idOf(one)));
  const surplus = await surplusOf(at, free, markedIds);
  const unused = marked.filter(({ id }) => !attached.has(id) && !taken.has(id));
  const isMoving = others.some(
    (one) => taken.has(idOf(one)) && one.Attachment?.Status !== "attached",
  );
  const isDone = surplus.length + unused.length + missing.length === 0;
  return { surplus, unused, missing, marked: markedIds, isSettled: isDone && !isMoving };
};
