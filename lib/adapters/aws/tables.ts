/**
 * The DynamoDB tables: their names in configuration, keys and features. Both the deployed tables
 * (infra/) and those of emulators (test/aws/create-tables.ts) are created from this file.
 */

export const TABLE_IDS = [
  "stacks",
  "resources",
  "syncPoints",
  "events",
  "softwareConfigs",
  "evidence",
  "fakeProvider",
] as const;
export type TableId = (typeof TABLE_IDS)[number];

export const TEST_TABLE = "fakeProvider" satisfies TableId;

export type TableNames = { readonly [Table in Exclude<TableId, typeof TEST_TABLE>]: string } & {
  readonly [TEST_TABLE]?: string;
};

/**
 * What deletes the large values of an item (spill.ts). The values of "none" are never too large.
 */
export type LargeValues = "go by the feed" | "go by the writer" | "none";

export interface TableShape {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly expires: boolean;
  readonly streams: boolean;
  readonly largeValues: LargeValues;
  readonly index?: TableIndex;
}

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly projected?: readonly string[];
}

/** Seconds since 1970, as DynamoDB's TTL requires. The item's `expiresAt` is exact. */
export const TTL_ATTRIBUTE = "ttl";

/**
 * An item gets this attribute, which names its table, with its first large value. So the change
 * feed recognises the item even if it no longer points at a value.
 */
export const SPILLED_ATTRIBUTE = "spilled";

/**
 * This index contains only keys, and only of items with the attribute, whose stacks are not
 * settled. So a settled stack costs nothing here.
 */
export const UNSETTLED_INDEX = "unsettled";
export const UNSETTLED_ATTRIBUTE = "unsettled";

/**
 * This index contains neither configs nor values. It uses the keys of the table, so it includes
 * items of earlier versions. A write that changes none of its attributes costs nothing here.
 */
export const OUTLINE_INDEX = "outline";

/**
 * The tables are separate because they differ in expiry, streams, backups and permissions. A table
 * that is written often has no index of all items, which would double the price of a write.
 */
export const TABLES: { readonly [Table in TableId]: TableShape } = {
  stacks: {
    partitionKey: "pk",
    sortKey: "sk",
    expires: true,
    streams: true,
    largeValues: "go by the feed",
    index: { name: UNSETTLED_INDEX, partitionKey: UNSETTLED_ATTRIBUTE },
  },
  // The key attributes are the record's own ids, so that no row stores them twice.
  resources: {
    partitionKey: "stackId",
    sortKey: "id",
    expires: true,
    streams: true,
    largeValues: "go by the feed",
  },
  syncPoints: {
    partitionKey: "pk",
    sortKey: "sk",
    expires: true,
    streams: false,
    largeValues: "none",
  },
  events: {
    partitionKey: "stackId",
    sortKey: "sk",
    expires: true,
    streams: false,
    largeValues: "none",
  },
  softwareConfigs: {
    partitionKey: "pk",
    sortKey: "sk",
    expires: true,
    streams: false,
    largeValues: "go by the writer",
    index: {
      name: OUTLINE_INDEX,
      partitionKey: "pk",
      sortKey: "sk",
      projected: [
        "tenant",
        "id",
        "gen",
        "metadata",
        "derivedConfigId",
        "name",
        "resourceName",
        "action",
        "createdAt",
      ],
    },
  },
  // A separate table, because the functions that strangers can reach may write only to this table.
  evidence: {
    partitionKey: "serverId",
    sortKey: "sk",
    expires: true,
    streams: false,
    largeValues: "none",
  },
  fakeProvider: {
    partitionKey: "pk",
    sortKey: "sk",
    expires: false,
    streams: false,
    largeValues: "go by the writer",
  },
};

export const UPLOADS_PREFIX = "uploads/";
