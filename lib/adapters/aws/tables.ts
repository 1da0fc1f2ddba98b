/**
 * The DynamoDB tables: what each is called in configuration, its keys, and what it needs besides. The
 * emulators' tables (create-tables.ts) and the deployed ones (infra/) are both made from this page.
 */

export type TableId =
  | "stacks"
  | "resources"
  | "syncPoints"
  | "events"
  | "softwareConfigs"
  | "evidence"
  | "fakeProvider";

/** The deployed name of each table. */
export type TableNames = { readonly [Table in TableId]: string };

export interface TableShape {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Whether its items may expire, by TTL_ATTRIBUTE. */
  readonly expires: boolean;
  /** Whether it feeds the events handler: a stream of NEW_AND_OLD_IMAGES. */
  readonly streams: boolean;
  readonly index?: { readonly name: string; readonly partitionKey: string };
}

/** Seconds since 1970, as DynamoDB's TTL wants it; it stands beside the exact `expiresAt`. */
export const TTL_ATTRIBUTE = "ttl";

/** Sparse and keys only: an item has the attribute while its stack is not settled, so a settled stack costs the index nothing. */
export const UNSETTLED_INDEX = "unsettled";
export const UNSETTLED_ATTRIBUTE = "unsettled";

/**
 * Several tables and not one: they differ in what expires, what streams, what is backed up and who may
 * write it. None but Stacks has an index, since an index doubles the price of every write.
 */
export const TABLES: { readonly [Table in TableId]: TableShape } = {
  stacks: {
    partitionKey: "pk",
    sortKey: "sk",
    expires: false,
    streams: true,
    index: { name: UNSETTLED_INDEX, partitionKey: UNSETTLED_ATTRIBUTE },
  },
  // Its keys are the record's own ids: under other names they would stand in every row twice.
  resources: { partitionKey: "stackId", sortKey: "id", expires: true, streams: true },
  syncPoints: { partitionKey: "pk", sortKey: "sk", expires: true, streams: false },
  events: { partitionKey: "stackId", sortKey: "sk", expires: false, streams: false },
  softwareConfigs: { partitionKey: "pk", sortKey: "sk", expires: true, streams: false },
  // By itself, because the functions that strangers reach write it and may write nothing beside it.
  evidence: { partitionKey: "serverId", sortKey: "sk", expires: true, streams: false },
  fakeProvider: { partitionKey: "pk", sortKey: "sk", expires: false, streams: false },
};

export const TABLE_IDS = [
  "stacks",
  "resources",
  "syncPoints",
  "events",
  "softwareConfigs",
  "evidence",
  "fakeProvider",
] as const satisfies readonly TableId[];

/** Of the bucket's keys: what lies below it expires by itself. */
export const UPLOADS_PREFIX = "uploads/";
