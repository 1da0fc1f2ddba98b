/**
 * Where rows are stored. A DynamoDB partition accepts 1,000 write units a second, so 100,000 rows
 * would need minutes in one. The rows of a small stack are together, where one query lists them. A
 * large stack's rows have marked ids and are spread over many partitions. The id alone tells the
 * partition.
 */
import type { Resource } from "./resource.ts";

/** Together they accept more than AWS allows one table: 40,000 write units a second. */
export const ROW_PARTITIONS = 64;

/** The digit of a UUID's version. No UUID that `Ids` makes has version f. */
const VERSION_AT = 14;
const MARK = "f";
const SPREAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-f[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const spreadId = (uuid: string): string =>
  uuid.slice(0, VERSION_AT) + MARK + uuid.slice(VERSION_AT + 1);

export const isSpreadId = (id: string): boolean =>
  id.charAt(VERSION_AT) === MARK && SPREAD_ID.test(id);

const SEPARATOR = "#";

const partition = (stackId: string, at: number): string => `${stackId}${SEPARATOR}${at}`;

/** Ids are hashes, so their first digits spread evenly. */
const PARTITION_DIGITS = 2;

export const partitionOfRow = ({ stackId, id }: Pick<Resource, "stackId" | "id">): string =>
  isSpreadId(id)
    ? partition(stackId, Number.parseInt(id.slice(0, PARTITION_DIGITS), 16) % ROW_PARTITIONS)
    : stackId;

export const spreadPartitions = (stackId: string): readonly string[] =>
  Array.from({ length: ROW_PARTITIONS }, (_, at) => partition(stackId, at));

export const stackOfPartition = (value: string): string => value.split(SEPARATOR, 1).join("");
