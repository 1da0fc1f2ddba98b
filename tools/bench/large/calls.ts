/** Extracts from any call of the SDK what it requests and what its answer contains. */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { itemBytes } from "#test/aws/item-bytes.ts";

const item = z.custom<Record<string, AttributeValue>>((value) => typeof value === "object");
const capacity = z.object({ CapacityUnits: z.optional(z.number()) });

const input = z.object({
  TableName: z.optional(z.string()),
  Key: z.optional(item),
  Item: z.optional(item),
  KeyConditionExpression: z.optional(z.string()),
  ConditionExpression: z.optional(z.string()),
  UpdateExpression: z.optional(z.string()),
  ProjectionExpression: z.optional(z.string()),
  ExpressionAttributeValues: z.optional(item),
  RequestItems: z.optional(
    z.record(
      z.string(),
      z.union([
        z.object({ Keys: z.array(item) }),
        z.array(z.object({ DeleteRequest: z.object({ Key: item }) })),
      ]),
    ),
  ),
  Entries: z.optional(z.array(z.object({ MessageBody: z.string() }))),
});

const output = z.object({
  Attributes: z.optional(item),
  Items: z.optional(z.array(item)),
  Responses: z.optional(z.record(z.string(), z.array(item))),
  ConsumedCapacity: z.optional(z.union([capacity, z.array(capacity)])),
});

export interface Call {
  readonly table: string;
  readonly partitions: readonly string[];
  readonly item: number;
  readonly answer: number;
  readonly expression: number;
  readonly values: number;
  readonly keys: number;
  readonly messages: readonly number[];
  readonly units: number;
}

const bytesOf = (text: string | undefined): number => Buffer.byteLength(text ?? "");
const largest = (sizes: readonly number[]): number => sizes.reduce((a, b) => Math.max(a, b), 0);
const sum = (sizes: readonly number[]): number => sizes.reduce((a, b) => a + b, 0);

type Input = z.output<typeof input>;

const namedKeys = ({ Key, Item, RequestItems = {} }: Input) => [
  ...[Key, Item].filter((one) => one !== undefined),
  ...Object.values(RequestItems).flatMap((request) =>
    Array.isArray(request) ? request.map(({ DeleteRequest }) => DeleteRequest.Key) : request.Keys,
  ),
];

const queried = ({ KeyConditionExpression = "", ExpressionAttributeValues = {} }: Input) => {
  const [, placeholder = ""] = /= (:\w+)/.exec(KeyConditionExpression) ?? [];
  const value = ExpressionAttributeValues[placeholder]?.S;
  return value === undefined ? [] : [value];
};

const stored = z.object({ Body: z.optional(z.instanceof(Uint8Array)) });

export const objectBytes = (asked: unknown): number => stored.parse(asked).Body?.byteLength ?? 0;

export const callOf = (asked: unknown, answered: unknown): Call => {
  const request = input.parse(asked);
  const {
    Attributes,
    Items = [],
    Responses = {},
    ConsumedCapacity = [],
  } = output.parse(answered ?? {});
  const keys = namedKeys(request);
  const found = [...Items, ...Object.values(Responses).flat()].map((one) => itemBytes(one));
  const whole = [Attributes, request.Item].filter((one) => one !== undefined);
  const { RequestItems = {}, TableName = Object.keys(RequestItems)[0] ?? "" } = request;
  return {
    table: TableName,
    partitions: [
      ...keys.map((key) => key["pk"]?.S ?? key["stackId"]?.S ?? ""),
      ...queried(request),
    ],
    item: largest([...found, ...whole.map((one) => itemBytes(one))]),
    answer: sum(found),
    expression: largest(
      [
        request.KeyConditionExpression,
        request.ConditionExpression,
        request.UpdateExpression,
        request.ProjectionExpression,
      ].map(bytesOf),
    ),
    values: itemBytes(request.ExpressionAttributeValues ?? {}),
    keys: keys.length,
    messages: (request.Entries ?? []).map(({ MessageBody }) => bytesOf(MessageBody)),
    units: sum([ConsumedCapacity].flat().map(({ CapacityUnits = 0 }) => CapacityUnits)),
  };
};
