import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { type Bound, boundName, boundValue } from "./conditions.ts";
import { refused } from "./refusals.ts";
import { boundIn, consumed, readUnits } from "./requests.ts";
import type { Stored, StoredTable } from "./stored-table.ts";
import { Tokens } from "./tokens.ts";
import { projection } from "./updates.ts";
import type { Item } from "./values.ts";

const PAGE_BYTES_MAX = 1_024 * 1_024;

const KEY_CONDITION = /^(#?\w+) = (:\w+)(?: AND begins_with\((#?\w+), (:\w+)\))?$/;

interface Asked {
  readonly attribute: string;
  readonly value: string;
  readonly prefix: string;
}

const askedFor = (text: string, bound: Bound): Asked => {
  const [, attribute, value, sortKey, prefix] = KEY_CONDITION.exec(text) ?? [];
  if (attribute === undefined || value === undefined)
    throw refused(`this key condition is not known here: ${text}`);
  if (sortKey !== undefined) boundName(sortKey, bound);
  return {
    attribute: boundName(attribute, bound),
    value: boundValue(value, bound).S ?? "",
    prefix: prefix === undefined ? "" : (boundValue(prefix, bound).S ?? ""),
  };
};

const pageOf = (entries: Iterable<Stored>, limit: number) => {
  const found: Stored[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (found.length > 0 && bytes + entry.bytes > PAGE_BYTES_MAX)
      return { found, bytes, isLast: false };
    found.push(entry);
    bytes += entry.bytes;
    // As on AWS, a full page is not marked as the last, even if no item follows.
    if (found.length === limit) return { found, bytes, isLast: false };
  }
  return { found, bytes, isLast: true };
};

export const queryPage = (table: StoredTable, input: QueryCommandInput) => {
  const { TableName = "", IndexName, ConsistentRead = false, KeyConditionExpression = "" } = input;
  if (IndexName !== undefined && ConsistentRead) throw refused("an index has eventual reads only");
  const picked =
    input.ProjectionExpression === undefined ? undefined : projection(input.ProjectionExpression);
  const { placeholders } = new Tokens(KeyConditionExpression);
  const bound = boundIn(input, picked, { run: null, placeholders });
  const { attribute, value, prefix } = askedFor(KeyConditionExpression, bound);
  const place = IndexName === undefined ? table : table.index(IndexName);
  if (attribute !== place.partitionKey) throw refused(`${attribute} is no partition key`);
  const entries = place.partition(value, {
    prefix,
    after: input.ExclusiveStartKey,
    descending: input.ScanIndexForward === false,
  });
  const { found, bytes, isLast } = pageOf(entries, input.Limit ?? Number.POSITIVE_INFINITY);
  const last = found.at(-1);
  const Items: Item[] = found.map(({ item }) => picked?.run(item, bound) ?? item);
  return {
    Items,
    Count: Items.length,
    ...(last !== undefined && !isLast && { LastEvaluatedKey: place.keyOf(last.item) }),
    ...consumed(input, TableName, readUnits(bytes, ConsistentRead)),
  };
};
