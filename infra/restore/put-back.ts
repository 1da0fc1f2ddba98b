import { DescribeTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteObjectCommand, ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import { eachPage, type Item, writeAll } from "./copy-table.ts";

export interface Difference {
  readonly written: number;
  readonly removed: number;
}

const keyNamesOf = async (
  dynamo: DynamoDBClient,
  TableName: string,
): Promise<readonly string[]> => {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  return (Table?.KeySchema ?? []).flatMap(({ AttributeName = "" }) => AttributeName);
};

/**
 * Without `isReal` it only counts. Without `copy` it empties the table. A repeated run ends in the
 * same state.
 */
export const putBack = async (
  dynamo: DynamoDBClient,
  copy: string | null,
  table: string,
  isReal: boolean,
): Promise<Difference> => {
  const names = await keyNamesOf(dynamo, table);
  const keyOf = (item: Item): Item =>
    Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
  const kept = new Set<string>();
  let removed = 0;
  if (copy !== null) {
    await eachPage(dynamo, copy, async (items) => {
      for (const item of items) kept.add(JSON.stringify(keyOf(item)));
      const requests = items.map((Item) => ({ PutRequest: { Item } }));
      if (isReal) await writeAll(dynamo, table, requests);
    });
  }
  await eachPage(dynamo, table, async (items) => {
    const keys = items.map(keyOf).filter((key) => !kept.has(JSON.stringify(key)));
    removed += keys.length;
    const requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
    if (isReal) await writeAll(dynamo, table, requests);
  });
  return { written: kept.size, removed };
};

export const undelete = async (
  s3: S3Client,
  Bucket: string,
  since: Date,
  isReal: boolean,
): Promise<number> => {
  let count = 0;
  let from: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (;;) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket, ...from }));
    const { DeleteMarkers = [], IsTruncated, NextKeyMarker, NextVersionIdMarker } = page;
    for (const { Key, VersionId, IsLatest, LastModified } of DeleteMarkers) {
      if (IsLatest !== true || LastModified === undefined || LastModified < since) continue;
      if (isReal) await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
      count += 1;
    }
    if (IsTruncated !== true || NextKeyMarker === undefined) return count;
    from = {
      KeyMarker: NextKeyMarker,
      ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
    };
  }
};
