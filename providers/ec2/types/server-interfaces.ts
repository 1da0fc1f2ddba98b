/**
 * The interfaces of an instance beside its first one: what is there, and what the template asks
 * for. Each look decides what comes next. Interfaces that Hearth makes for a server carry its id.
 */
import type { Instance, InstanceNetworkInterface, NetworkInterface } from "@aws-sdk/client-ec2";
import type { Call, JsonObject, ObjectCall } from "#provider/provider.ts";
import { TryAgain } from "#providers/cloud-control/client.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import { type Ec2Account, Impossible } from "../account.ts";
import { INTERFACES, type Seen } from "../objects/looks.ts";
import { reach } from "../objects/reach.ts";
import { TAGS, withTag } from "../tags.ts";
import { placeIn, subnetsOf } from "./server-networks.ts";

/** One of the template's networks. */
export interface WantedInterface {
  /** Its place in the list. */
  readonly at: number;
  /** Of a port. Null: the server has an interface of its own. */
  readonly port: string | null;
  readonly subnets: readonly string[];
  /** Empty: any. */
  readonly address: string;
}

interface Missing {
  readonly wanted: WantedInterface;
  /** Null: it has to be made. */
  readonly id: string | null;
}

export interface InterfacePlan {
  /** Are on the instance and must leave it. */
  readonly surplus: readonly InstanceNetworkInterface[];
  /** The server's own that nothing needs any more. */
  readonly unused: readonly Seen<NetworkInterface>[];
  readonly missing: readonly Missing[];
  /** Those of the server's own that carry its id. */
  readonly marked: ReadonlySet<string>;
  /** All that the template asks for is attached, and nothing moves. */
  readonly isSettled: boolean;
}

/** Those that carry the id of the server. */
export const markedInterfaces = (
  account: Ec2Account,
  { physicalId, tenant, signal }: Pick<ObjectCall, "physicalId" | "tenant" | "signal">,
): Promise<readonly Seen<NetworkInterface>[]> => {
  const filters = [withTag(TAGS.id, physicalId), withTag(TAGS.tenant, tenant)];
  return INTERFACES.look(account, { filters }, signal);
};

const wantedOf = async (
  account: Ec2Account,
  call: Call,
  at: number,
  given: JsonObject,
): Promise<WantedInterface> => {
  const port = textOf(given["port"]);
  if (port !== "") {
    const { id } = await reach(account, INTERFACES, call, port);
    return { at, port: id, subnets: [], address: "" };
  }
  const place = placeIn(given);
  const subnets = await subnetsOf(account, call, place);
  return { at, port: null, subnets, address: place.address };
};

/** Without the first one, which never changes. */
const networksAfterFirst = (properties: JsonObject | null): readonly [number, JsonObject][] =>
  [...objectsOf(properties?.["networks"]).entries()].slice(1);

const wantedBy = async (account: Ec2Account, call: Call): Promise<readonly WantedInterface[]> => {
  const wanted: WantedInterface[] = [];
  for (const [at, given] of networksAfterFirst(call.properties)) {
    wanted.push(await wantedOf(account, call, at, given));
  }
  // What is asked for by name comes before what can be any.
  const rank = ({ port, address }: WantedInterface): number =>
    port !== null ? 0 : address !== "" ? 1 : 2;
  return wanted.toSorted((one, other) => rank(one) - rank(other));
};

/** What the last success asked for. What is gone by now is nowhere. */
const formerlyWanted = async (
  account: Ec2Account,
  call: Call,
): Promise<readonly WantedInterface[]> => {
  const found: WantedInterface[] = [];
  for (const [at, given] of networksAfterFirst(call.previousProperties)) {
    try {
      found.push(await wantedOf(account, call, at, given));
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

/** The call that made the instance made it too. A port stays when the instance ends. */
export const cameWithInstance = ({ Attachment }: InstanceNetworkInterface): boolean =>
  Attachment?.DeleteOnTermination === true;

interface Found {
  readonly others: readonly InstanceNetworkInterface[];
  readonly marked: readonly Seen<NetworkInterface>[];
  readonly wanted: readonly WantedInterface[];
}

/** Gives each wanted one an interface: one that is attached, or one that is loose. */
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

/** What somebody else has attached stays. */
const surplusOf = async (
  account: Ec2Account,
  call: Call,
  free: readonly InstanceNetworkInterface[],
  marked: ReadonlySet<string>,
): Promise<readonly InstanceNetworkInterface[]> => {
  if (free.length === 0) return [];
  const former = await formerlyWanted(account, call);
  return free.filter(
    (one) =>
      marked.has(idOf(one)) ||
      former.some((was) =>
        was.port === null ? cameWithInstance(one) && isAt(was, one) : was.port === idOf(one),
      ),
  );
};

/** Throws Impossible and TryAgain. */
export const planInterfaces = async (
  account: Ec2Account,
  call: ObjectCall,
  { NetworkInterfaces = [] }: Instance,
): Promise<InterfacePlan> => {
  const others = NetworkInterfaces.filter(({ Attachment }) => Attachment?.DeviceIndex !== 0);
  const marked = await markedInterfaces(account, call);
  const wanted = await wantedBy(account, call);
  const { taken, missing, markedIds, attached } = assigned({ others, marked, wanted });
  const free = others.filter((one) => !taken.has(idOf(one)));
  const surplus = await surplusOf(account, call, free, markedIds);
  const unused = marked.filter(({ id }) => !attached.has(id) && !taken.has(id));
  const isMoving = others.some(
    (one) => taken.has(idOf(one)) && one.Attachment?.Status !== "attached",
  );
  const isDone = surplus.length + unused.length + missing.length === 0;
  return { surplus, unused, missing, marked: markedIds, isSettled: isDone && !isMoving };
};
