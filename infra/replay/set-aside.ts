/**
 * Parses Lambda's message about a stream's failure. It does not contain the records, only their
 * position in the stream, which keeps them for a day.
 */
import * as z from "zod";
import type { PutAside } from "./put-aside.ts";

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
