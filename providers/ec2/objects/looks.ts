import type {
  Address,
  Filter,
  NetworkInterface,
  RouteTable,
  Subnet,
  Tag,
  Volume,
} from "@aws-sdk/client-ec2";
import { type Ec2Account, orMissing } from "../account.ts";
import { TAGS, tagOf } from "../tags.ts";
import { allPages } from "./pages.ts";

export interface Seen<Own> {
  readonly id: string;
  readonly tags: readonly Tag[];
  readonly own: Own;
}

export interface Asked {
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
