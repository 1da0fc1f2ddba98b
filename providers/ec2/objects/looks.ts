import type {
  Address,
  Filter,
  NetworkInterface,
  RouteTable,
  Subnet,
  Tag,
  Volume,
} from "@aws-sdk/client-ec2";
import type { Call } from "#provider/provider.ts";
import { type Ec2Account, foundLater, Impossible, orMissing } from "../account.ts";
import { isOfProject, NAME, TAGS, tagOf, withTag } from "../tags.ts";

export interface Seen<Own> {
  readonly id: string;
  readonly tags: readonly Tag[];
  readonly own: Own;
}

interface Asked {
  readonly ids?: string[];
  readonly filters?: Filter[];
}

export interface Kind<Own> {
  readonly noun: string;
  readonly id: RegExp;
  /** In a fixed order. Empty if EC2 does not know the object, or not yet. */
  readonly look: (
    account: Ec2Account,
    asked: Asked,
    signal: AbortSignal,
  ) => Promise<readonly Seen<Own>[]>;
}

const seen = <Own extends { Tags?: Tag[] | undefined }>(
  objects: readonly Own[] | undefined,
  idOf: (own: Own) => string | undefined,
): readonly Seen<Own>[] =>
  (objects ?? [])
    .map((own) => ({ id: idOf(own) ?? "", tags: own.Tags ?? [], own }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));

export const SUBNETS: Kind<Subnet> = {
  noun: "Subnet",
  id: /^subnet-[0-9a-f]+$/,
  look: async ({ ec2 }, { ids, filters }, abortSignal) => {
    const given = { SubnetIds: ids, Filters: filters };
    const pages = await allPages((next) =>
      ec2.describeSubnets({ ...given, ...next }, { abortSignal }),
    );
    return seen(
      pages.flatMap(({ Subnets = [] }) => Subnets),
      ({ SubnetId }) => SubnetId,
    );
  },
};

const TABLE_ID = /^rtb-[0-9a-f]+$/;

export const TABLES: Kind<RouteTable> = {
  noun: "Route table",
  id: TABLE_ID,
  look: async ({ ec2 }, { ids, filters }, abortSignal) => {
    const given = { RouteTableIds: ids, Filters: filters };
    const pages = await allPages((next) =>
      ec2.describeRouteTables({ ...given, ...next }, { abortSignal }),
    );
    return seen(
      pages.flatMap(({ RouteTables = [] }) => RouteTables),
      ({ RouteTableId }) => RouteTableId,
    );
  },
};

const tablesOf = (noun: string, kind: string): Kind<RouteTable> => ({
  noun,
  id: TABLE_ID,
  look: async (account, asked, signal) => {
    const tables = await TABLES.look(account, asked, signal);
    return tables.filter(({ tags }) => tagOf(tags, TAGS.kind) === kind);
  },
});

export const NET = "net";
export const ROUTER = "router";
export const NETS = tablesOf("Network", NET);
export const ROUTERS = tablesOf("Router", ROUTER);

export const INTERFACES: Kind<NetworkInterface> = {
  noun: "Port",
  id: /^eni-[0-9a-f]+$/,
  look: async ({ ec2 }, { ids, filters }, abortSignal) => {
    const given = { NetworkInterfaceIds: ids, Filters: filters };
    const pages = await allPages((next) =>
      ec2.describeNetworkInterfaces({ ...given, ...next }, { abortSignal }),
    );
    const interfaces = pages.flatMap(({ NetworkInterfaces = [] }) => NetworkInterfaces);
    // Only interfaces call their tags `TagSet`.
    const own = interfaces.map(({ TagSet, ...one }) => ({ ...one, TagSet, Tags: TagSet }));
    return seen(own, ({ NetworkInterfaceId }) => NetworkInterfaceId);
  },
};

export const ADDRESSES: Kind<Address> = {
  noun: "Floating IP",
  id: /^eipalloc-[0-9a-f]+$/,
  look: async ({ ec2 }, { ids, filters }, abortSignal) => {
    const asked = ec2.describeAddresses({ AllocationIds: ids, Filters: filters }, { abortSignal });
    return seen((await orMissing(asked))?.Addresses, ({ AllocationId }) => AllocationId);
  },
};

const GONE: readonly string[] = ["deleting", "deleted"];

/** Such a volume has the tags of its instance and is deleted with it. */
const isDiskOfServer = ({ Tags }: Volume): boolean => tagOf(Tags, TAGS.id) !== null;

export const VOLUMES: Kind<Volume> = {
  noun: "Volume",
  id: /^vol-[0-9a-f]+$/,
  look: async ({ ec2 }, { ids, filters }, abortSignal) => {
    const given = { VolumeIds: ids, Filters: filters };
    const pages = await allPages((next) =>
      ec2.describeVolumes({ ...given, ...next }, { abortSignal }),
    );
    const volumes = pages.flatMap(({ Volumes = [] }) => Volumes);
    const there = volumes.filter((one) => !GONE.includes(one.State ?? "") && !isDiskOfServer(one));
    return seen(there, ({ VolumeId }) => VolumeId);
  },
};

export const byId = async <Own>(
  account: Ec2Account,
  { look }: Kind<Own>,
  id: string,
  signal: AbortSignal,
): Promise<Seen<Own> | null> =>
  id === "" ? null : ((await look(account, { ids: [id] }, signal))[0] ?? null);

/** Finds objects by id or name. As in Heat, an ambiguous name is refused. */

export const missing = (noun: string, text: string): Impossible =>
  new Impossible(`The ${noun} (${text}) could not be found.`);

/** Objects of other projects are not found. */
export const named = async <Own>(
  account: Ec2Account,
  kind: Kind<Own>,
  { tenant, signal }: Pick<Call, "tenant" | "signal">,
  text: string,
): Promise<Seen<Own> | null> => {
  if (text === "") return null;
  if (kind.id.test(text)) {
    const found = await byId(account, kind, text, signal);
    return found !== null && isOfProject(found.tags, tenant) ? found : null;
  }
  const filters = [withTag(NAME, text), withTag(TAGS.tenant, tenant)];
  const found = await kind.look(account, { filters }, signal);
  // An EC2 filter treats * and ? as patterns.
  const [first, ...others] = found.filter(({ tags }) => tagOf(tags, NAME) === text);
  if (others.length > 0) {
    throw new Impossible(`Multiple ${kind.noun} objects have the name ${text}.`);
  }
  return first ?? null;
};

/** Waits a while for an object that is too new to be visible. Throws Impossible. */
export const reach = async <Own>(
  account: Ec2Account,
  kind: Kind<Own>,
  call: Pick<Call, "tenant" | "signal">,
  text: string,
): Promise<Seen<Own>> => {
  const found = await foundLater(account, call.signal, () => named(account, kind, call, text));
  if (found === null) throw missing(kind.noun, text);
  return found;
};

interface Page {
  readonly NextToken?: string | undefined;
}

export const allPages = async <Found extends Page>(
  ask: (next: Page) => Promise<Found>,
): Promise<readonly Found[]> => {
  const pages: Found[] = [];
  let next: Page | null = {};
  while (next !== null) {
    const page: Found | null = await orMissing(ask(next));
    if (page !== null) pages.push(page);
    next = page?.NextToken ? { NextToken: page.NextToken } : null;
  }
  return pages;
};
