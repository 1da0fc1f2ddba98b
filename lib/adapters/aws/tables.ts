/**
 * The DynamoDB tables: their names in configuration, keys and features. The deployed tables
 * (infra/) and the emulators' tables (test/aws/create-tables.ts) are both created from this file.
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

/** A deployment without test types has no such table. */
export const TEST_TABLE = "fakeProvider" satisfies TableId;

/** The deployed name of each table. */
export type TableNames = { readonly [Table in Exclude<TableId, typeof TEST_TABLE>]: string } & {
  readonly [TEST_TABLE]?: string;
};

/**
 * Who deletes the values of an item that are too large for it (spill.ts). `none`: they are never so
 * large.
 */
export type LargeValues = "go by the feed" | "go by the writer" | "none";

export interface TableShape {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Whether its items may expire (TTL_ATTRIBUTE). */
  readonly expires: boolean;
  /** Whether a stream of NEW_AND_OLD_IMAGES feeds the events handler. */
  readonly streams: boolean;
  readonly largeValues: LargeValues;
  readonly index?: TableIndex;
}

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Attributes that it has besides the keys of the table. */
  readonly projected?: readonly string[];
}

/** Seconds since 1970, as DynamoDB's TTL requires. The item's `expiresAt` is exact. */
export const TTL_ATTRIBUTE = "ttl";

/**
 * From its first large value on, an item has this attribute: its table. So the feed knows it even
 * if the item points at no value any more.
 */
export const SPILLED_ATTRIBUTE = "spilled";

/**
 * Sparse, with keys only. An item has the attribute while its stack is not settled. So a settled
 * stack costs the index nothing.
 */
export const UNSETTLED_INDEX = "unsettled";
export const UNSETTLED_ATTRIBUTE = "unsettled";

/**
 * The keys of the table, without configs and values. So items of earlier versions are in it too. A
 * write that changes none of its attributes costs nothing here.
 */
export const OUTLINE_INDEX = "outline";

/**
 * Several tables instead of one, because they differ in expiry, streams, backups and permissions.
 * Tables that are written often have no index of all items: it would double the price of a write.
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
  // The key attributes are the record's own ids. Otherwise each row would store them twice.
  resources: {
    partitionKey: "stackId",
    sortKey: "id",
    expires: true,
    streams: true,
    largeValues: "go by the feed",
  },
  // Large references do not travel in input data (NODE_DATA_BYTES_MAX).
  syncPoints: {
    partitionKey: "pk",
    sortKey: "sk",
    expires: true,
    streams: false,
    largeValues: "none",
  },
  // A page fits into an item (PAGE_CHARS_MAX), and so does the longest event alone.
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
  // A table of its own: the functions that strangers reach may write this table only.
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

/** The bucket's lifecycle deletes the objects under this prefix. */
export const UPLOADS_PREFIX = "uploads/";
