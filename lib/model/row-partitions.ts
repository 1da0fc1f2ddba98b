/**
 * Where rows lie in a store that bounds the writes of one place. DynamoDB's partition takes 1,000
 * write units a second, so 100,000 rows would need minutes in one. The rows of a small stack lie
 * together, where one query lists them. Those of a large one have marked ids, and lie in many
 * partitions of their stack. An id alone tells its row's partition.
 */
import type { Resource } from "./resource.ts";

/** Together they take more than AWS lets one table have: 40,000 write units a second. */
export const ROW_PARTITIONS = 64;

/** The digit of a UUID's version. No UUID that `Ids` makes has this one. */
const VERSION_AT = 14;
const MARK = "f";
const SPREAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-f[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The marked form of a derived id. */
export const spreadId = (uuid: string): string =>
  uuid.slice(0, VERSION_AT) + MARK + uuid.slice(VERSION_AT + 1);

export const isSpreadId = (id: string): boolean =>
  id.charAt(VERSION_AT) === MARK && SPREAD_ID.test(id);

/** No id of a stack contains it. */
const SEPARATOR = "#";

const partition = (stackId: string, at: number): string => `${stackId}${SEPARATOR}${at}`;

/** An id is a hash, so its first digits spread evenly. */
const PARTITION_DIGITS = 2;

export const partitionOfRow = ({ stackId, id }: Pick<Resource, "stackId" | "id">): string =>
  isSpreadId(id)
    ? partition(stackId, Number.parseInt(id.slice(0, PARTITION_DIGITS), 16) % ROW_PARTITIONS)
    : stackId;

/** All but the stack's own one. */
export const spreadPartitions = (stackId: string): readonly string[] =>
  Array.from({ length: ROW_PARTITIONS }, (_, at) => partition(stackId, at));

export const stackOfPartition = (value: string): string => value.split(SEPARATOR, 1).join("");
