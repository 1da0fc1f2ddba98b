import type {
  Address,
  Filter,
  NetworkInterface,
  RouteTable,
  Subnet,
  Tag,
  Volume,
} from "@aws-sdk/client-ec2";
import { type At, type Caller, foundLater, Impossible, orMissing } from "../account.ts";
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
  readonly look: (at: At<Caller>, asked: Asked) => Promise<readonly Seen<Own>[]>;
}

interface Page {
  readonly NextToken?: string | undefined;
}

export const allPages = async <Found extends Page, Item>(
  ask: (next: Page) => Promise<Found>,
  itemsIn: (page: Found) => readonly Item[],
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let next: Page | null = {};
  while (next !== null) {
    const page: Found | null = await orMissing(ask(next));
    if (page !== null) items.push(...itemsIn(page));
    next = page?.NextToken ? { NextToken: page.NextToken } : null;
  }
  return items;
};

const kindOf = <Own extends { Tags?: Tag[] | undefined }>(
  { noun, id }: Pick<Kind<Own>, "noun" | "id">,
  list: (at: At<Caller>, asked: Asked) => Promise<readonly Own[]>,
  idOf: (own: Own) => string | undefined,
): Kind<Own> => ({
  noun,
  id,
  look: async (at, asked) =>
    (await list(at, asked))
      .map((own) => ({ id: idOf(own) ?? "", tags: own.Tags ?? [], own }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
});

export const SUBNETS = kindOf<Subnet>(
  { noun: "Subnet", id: /^subnet-[0-9a-f]+$/ },
  ({ ec2, abort }, { ids, filters }) =>
    allPages(
      (next) => ec2.describeSubnets({ SubnetIds: ids, Filters: filters, ...next }, abort),
      ({ Subnets = [] }) => Subnets,
    ),
  ({ SubnetId }) => SubnetId,
);

export const TABLES = kindOf<RouteTable>(
  { noun: "Route table", id: /^rtb-[0-9a-f]+$/ },
  ({ ec2, abort }, { ids, filters }) =>
    allPages(
      (next) => ec2.describeRouteTables({ RouteTableIds: ids, Filters: filters, ...next }, abort),
      ({ RouteTables = [] }) => RouteTables,
    ),
  ({ RouteTableId }) => RouteTableId,
);

const tablesOf = (noun: string, kind: string): Kind<RouteTable> => ({
  ...TABLES,
  noun,
  look: async (at, asked) => {
    const tables = await TABLES.look(at, asked);
    return tables.filter(({ tags }) => tagOf(tags, TAGS.kind) === kind);
  },
});

export const NET = "net";
export const ROUTER = "router";
export const NETS = tablesOf("Network", NET);
export const ROUTERS = tablesOf("Router", ROUTER);

export const INTERFACES = kindOf<NetworkInterface & { Tags?: Tag[] | undefined }>(
  { noun: "Port", id: /^eni-[0-9a-f]+$/ },
  ({ ec2, abort }, { ids, filters }) => {
    const given = { NetworkInterfaceIds: ids, Filters: filters };
    return allPages(
      (next) => ec2.describeNetworkInterfaces({ ...given, ...next }, abort),
      // Only interfaces call their tags `TagSet`.
      ({ NetworkInterfaces = [] }) =>
        NetworkInterfaces.map((one) => ({ ...one, Tags: one.TagSet })),
    );
  },
  ({ NetworkInterfaceId }) => NetworkInterfaceId,
);

export const ADDRESSES = kindOf<Address>(
  { noun: "Floating IP", id: /^eipalloc-[0-9a-f]+$/ },
  async ({ ec2, abort }, { ids, filters }) => {
    const asked = ec2.describeAddresses({ AllocationIds: ids, Filters: filters }, abort);
    return (await orMissing(asked))?.Addresses ?? [];
  },
  ({ AllocationId }) => AllocationId,
);

const GONE: readonly string[] = ["deleting", "deleted"];

/** Such a volume has the tags of its instance and is deleted with it. */
const isDiskOfServer = ({ Tags }: Volume): boolean => tagOf(Tags, TAGS.id) !== null;

export const VOLUMES = kindOf<Volume>(
  { noun: "Volume", id: /^vol-[0-9a-f]+$/ },
  async ({ ec2, abort }, { ids, filters }) => {
    const volumes = await allPages(
      (next) => ec2.describeVolumes({ VolumeIds: ids, Filters: filters, ...next }, abort),
      ({ Volumes = [] }) => Volumes,
    );
    return volumes.filter((one) => !GONE.includes(one.State ?? "") && !isDiskOfServer(one));
  },
  ({ VolumeId }) => VolumeId,
);

export const byId = async <Own>(
  at: At<Caller>,
  { look }: Kind<Own>,
  id: string,
): Promise<Seen<Own> | null> => (id === "" ? null : ((await look(at, { ids: [id] }))[0] ?? null));

export const missing = (noun: string, text: string): Impossible =>
  new Impossible(`The ${noun} (${text}) could not be found.`);

/** Accepts an id or a name. As in Heat, an ambiguous name is refused. */
export const named = async <Own>(
  at: At<Caller>,
  kind: Kind<Own>,
  text: string,
): Promise<Seen<Own> | null> => {
  const { tenant } = at.call;
  if (text === "") return null;
  if (kind.id.test(text)) {
    const found = await byId(at, kind, text);
    return found !== null && isOfProject(found.tags, tenant) ? found : null;
  }
  const filters = [withTag(NAME, text), withTag(TAGS.tenant, tenant)];
  const found = await kind.look(at, { filters });
  // An EC2 filter treats * and ? as patterns.
  const [first, ...others] = found.filter(({ tags }) => tagOf(tags, NAME) === text);
  if (others.length > 0) {
    throw new Impossible(`Multiple ${kind.noun} objects have the name ${text}.`);
  }
  return first ?? null;
};

/** Waits a while for an object that is too new to be visible. Throws Impossible. */
export const reach = async <Own>(
  at: At<Caller>,
  kind: Kind<Own>,
  text: string,
): Promise<Seen<Own>> => {
  const found = await foundLater(at, () => named(at, kind, text));
  if (found === null) throw missing(kind.noun, text);
  return found;
};
