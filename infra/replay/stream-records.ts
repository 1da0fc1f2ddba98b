import {
  type _Record,
  type AttributeValue,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from "@aws-sdk/client-dynamodb-streams";
import * as z from "zod";
import type { PutAside } from "./put-aside.ts";

const MILLISECONDS = 1_000;
/** A closed shard ends. An open one returns empty pages after its last record. */
const EMPTY_PAGES_MAX = 10;

type Item = Readonly<Record<string, AttributeValue>>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Lambda's event is JSON, so its bytes are Base64. */
const jsonValue = (value: AttributeValue): unknown => {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.L !== undefined) return { L: value.L.map(jsonValue) };
  return value.M === undefined ? value : { M: jsonItem(value.M) };
};

const jsonItem = (item: Item): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, jsonValue(value)]));

const image = (name: string, item: Item | undefined) =>
  item === undefined ? {} : { [name]: jsonItem(item) };

const eventRecord = (record: _Record, streamArn: string): object => {
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage, ...rest } = record.dynamodb ?? {};
  const created = ApproximateCreationDateTime?.getTime();
  const times =
    created === undefined ? {} : { ApproximateCreationDateTime: created / MILLISECONDS };
  const images = {
    ...image("Keys", Keys),
    ...image("NewImage", NewImage),
    ...image("OldImage", OldImage),
  };
  return { ...record, eventSourceARN: streamArn, dynamodb: { ...rest, ...times, ...images } };
};

const isWithin = ({ dynamodb }: _Record, { first, last }: SetAside): boolean => {
  const at = BigInt(dynamodb?.SequenceNumber ?? 0);
  return at >= BigInt(first) && at <= BigInt(last);
};

const sequenceOf = (record: _Record | undefined): bigint =>
  BigInt(record?.dynamodb?.SequenceNumber ?? 0);

/** @returns null if the stream no longer contains the first of these records */
export const recordsOf = async (
  streams: DynamoDBStreamsClient,
  batch: SetAside,
): Promise<readonly object[] | null> => {
  const { streamArn: StreamArn, shardId: ShardId, first: SequenceNumber, last } = batch;
  const start = { StreamArn, ShardId, SequenceNumber } as const;
  const found: _Record[] = [];
  try {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ ...start, ShardIteratorType: "AT_SEQUENCE_NUMBER" }),
    );
    let iterator = ShardIterator;
    for (let empty = 0; iterator !== undefined && empty < EMPTY_PAGES_MAX; ) {
      const page = await streams.send(new GetRecordsCommand({ ShardIterator: iterator }));
      const { Records = [] } = page;
      found.push(...Records.filter((record) => isWithin(record, batch)));
      if (sequenceOf(Records.at(-1)) >= BigInt(last)) break;
      iterator = page.NextShardIterator;
      empty = Records.length === 0 ? empty + 1 : 0;
    }
  } catch (error) {
    const isGone =
      error instanceof TrimmedDataAccessException || error instanceof ResourceNotFoundException;
    if (isGone) return null;
    throw error;
  }
  return found.length === 0 ? null : found.map((record) => eventRecord(record, StreamArn));
};

const batchShape = z.object({
  requestContext: z.object({ functionArn: z.string() }),
  DDBStreamBatchInfo: z.object({
    streamArn: z.string(),
    shardId: z.string(),
    startSequenceNumber: z.string().regex(/^\d+$/),
    endSequenceNumber: z.string().regex(/^\d+$/),
  }),
});

export interface SetAside {
  readonly message: PutAside;
  readonly functionArn: string;
  readonly streamArn: string;
  readonly shardId: string;
  readonly first: string;
  readonly last: string;
}

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

const tableOf = (streamArn: string): string | undefined =>
  /:table\/([^/]+)\/stream\//.exec(streamArn)?.[1];

/**
 * Parses Lambda's message about a stream's failure. It does not contain the records, only their
 * position in the stream, which keeps them for a day.
 */
export const readSetAside = (message: PutAside, tables: readonly string[]): SetAside | string => {
  const parsed = batchShape.safeParse(jsonOf(message.body));
  if (!parsed.success) return "it does not say which records of a stream failed";
  const { requestContext, DDBStreamBatchInfo } = parsed.data;
  const { streamArn, shardId, startSequenceNumber, endSequenceNumber } = DDBStreamBatchInfo;
  if (!tables.includes(tableOf(streamArn) ?? "")) return `${streamArn} is not of this stage`;
  const { functionArn } = requestContext;
  const [first, last] = [startSequenceNumber, endSequenceNumber];
  return { message, functionArn, streamArn, shardId, first, last };
};

export const inOrder = (one: SetAside, other: SetAside): number =>
  BigInt(one.first) < BigInt(other.first) ? -1 : 1;
