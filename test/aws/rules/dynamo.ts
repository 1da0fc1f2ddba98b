/**
 * DynamoDB's documented limits. AWS's model of it lacks them, and no emulator keeps all of them.
 */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { TABLES } from "#lib/adapters/aws/tables.ts";
import { itemBytes, valueBytes } from "../item-bytes.ts";

const ITEM_BYTES_MAX = 400 * 1_024;
const BATCH_BYTES_MAX = 16 * 1_024 * 1_024;
const EXPRESSION_BYTES_MAX = 4_096;
const OPERATORS_MAX = 300;
const PARTITION_KEY_BYTES_MAX = 2_048;
const SORT_KEY_BYTES_MAX = 1_024;
const DIGITS_MAX = 38;
const LEVELS_MAX = 32;

const attribute = z.custom<AttributeValue>((value) => typeof value === "object");
const item = z.record(z.string(), attribute);
const names = z.record(z.string(), z.string()).optional();
const request = z.object({
  Item: item.optional(),
  Key: item.optional(),
  IndexName: z.string().optional(),
  ConsistentRead: z.boolean().optional(),
  UpdateExpression: z.string().optional(),
  ConditionExpression: z.string().optional(),
  KeyConditionExpression: z.string().optional(),
  FilterExpression: z.string().optional(),
  ProjectionExpression: z.string().optional(),
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: item.optional(),
  RequestItems: z
    .record(
      z.string(),
      z.union([
        z.object({ Keys: z.array(item) }),
        z.array(
          z.object({
            PutRequest: z.object({ Item: item }).optional(),
            DeleteRequest: z.object({ Key: item }).optional(),
          }),
        ),
      ]),
    )
    .optional(),
});
type Request = z.infer<typeof request>;
type Item = z.infer<typeof item>;

const bytesOf = (text: string): number => Buffer.byteLength(text);
const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0);

const digitsOf = (text: string): number =>
  text
    .replace(/e.*$/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "").length;

const valueProblems = (value: AttributeValue, level = 1): readonly string[] => {
  if (level > LEVELS_MAX) return [`a value lies deeper than ${LEVELS_MAX} levels`];
  if (digitsOf(value.N ?? "") > DIGITS_MAX) return [`a number has more than ${DIGITS_MAX} digits`];
  const members = (value.SS ?? value.NS ?? value.BS)?.map(String);
  if (members !== undefined && (members.length === 0 || new Set(members).size < members.length)) {
    return ["a set is empty or has a member twice"];
  }
  const inner = value.L ?? Object.values(value.M ?? {});
  return inner.flatMap((one) => valueProblems(one, level + 1));
};

const SORT_KEYS = new Set(Object.values(TABLES).map(({ sortKey }) => sortKey));
const KEYS = new Set([
  "pk",
  ...Object.values(TABLES).flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
]);

const keyProblems = (key: Item): readonly string[] =>
  Object.entries(key).flatMap(([name, value]) => {
    const max = SORT_KEYS.has(name) ? SORT_KEY_BYTES_MAX : PARTITION_KEY_BYTES_MAX;
    const bytes = valueBytes(value);
    return bytes < 1 || bytes > max ? [`the key ${name} has ${bytes} bytes of 1 to ${max}`] : [];
  });

const itemProblems = (one: Item): readonly string[] => {
  const bytes = itemBytes(one);
  const key = Object.fromEntries(Object.entries(one).filter(([name]) => KEYS.has(name)));
  return [
    ...(bytes > ITEM_BYTES_MAX ? [`an item of ${bytes} bytes`] : []),
    ...keyProblems(key),
    ...Object.values(one).flatMap((value) => valueProblems(value)),
  ];
};

const OPERATOR =
  /\b(?:AND|OR|NOT|BETWEEN|IN)\b|[=<>+]|attribute_|contains|begins_with|size\(|list_append|if_not_exists/g;
const PLACEHOLDER = /[#:]\w+/g;

/** An update may change no path twice, and no path inside another that it changes. */
const overlapping = (update: string): readonly string[] => {
  const targets = update
    .split(/\b(?:SET|REMOVE|ADD|DELETE)\b/)
    .flatMap((clause) => clause.split(/,(?![^(]*\))/))
    .flatMap((action) => /^\s*([#\w.[\]]+)/.exec(action)?.[1] ?? []);
  const within = (one: string, other: string): boolean =>
    one === other || one.startsWith(`${other}.`) || one.startsWith(`${other}[`);
  return targets.filter((one, at) =>
    targets.some((other, place) => at !== place && within(one, other)),
  );
};

const expressionProblems = (input: Request): readonly string[] => {
  const { UpdateExpression: update = "" } = input;
  const expressions = [
    input.UpdateExpression,
    input.ConditionExpression,
    input.KeyConditionExpression,
    input.FilterExpression,
    input.ProjectionExpression,
  ].filter((text) => text !== undefined);
  const used = new Set(expressions.flatMap((text) => text.match(PLACEHOLDER) ?? []));
  const maps = [input.ExpressionAttributeNames, input.ExpressionAttributeValues];
  const given = maps.flatMap((map) => (map === undefined ? [] : Object.keys(map)));
  return [
    ...expressions.flatMap((text) => [
      ...(text.trim() === "" ? ["an expression is empty"] : []),
      ...(bytesOf(text) > EXPRESSION_BYTES_MAX ? ["an expression is above 4 KB"] : []),
      ...((text.match(OPERATOR) ?? []).length > OPERATORS_MAX
        ? ["an expression has above 300 operators"]
        : []),
    ]),
    ...maps.flatMap((map) =>
      map !== undefined && Object.keys(map).length === 0 ? ["a map of placeholders is empty"] : [],
    ),
    ...given.filter((name) => !used.has(name)).map((name) => `${name} is not used`),
    ...[...used].filter((name) => !given.includes(name)).map((name) => `${name} is not defined`),
    ...overlapping(update).map((path) => `${path} is changed twice`),
    ...Object.values(input.ExpressionAttributeValues ?? {}).flatMap((value) =>
      valueProblems(value),
    ),
  ];
};

const batchProblems = ({ RequestItems = {} }: Request): readonly string[] =>
  Object.values(RequestItems).flatMap((batch) => {
    const puts = Array.isArray(batch)
      ? batch.flatMap(({ PutRequest }) => (PutRequest === undefined ? [] : [PutRequest.Item]))
      : [];
    const keys = Array.isArray(batch)
      ? batch.flatMap(({ DeleteRequest }) =>
          DeleteRequest === undefined ? [] : [DeleteRequest.Key],
        )
      : batch.Keys;
    const putKeys = puts.map((put) =>
      Object.fromEntries(Object.entries(put).filter(([name]) => KEYS.has(name))),
    );
    const texts = [...keys, ...putKeys].map((key) => JSON.stringify(Object.entries(key).sort()));
    return [
      ...(new Set(texts).size < texts.length ? ["a batch has a key twice"] : []),
      ...(sum(puts.map((put) => itemBytes(put))) > BATCH_BYTES_MAX
        ? ["a batch is above 16 MB"]
        : []),
      ...puts.flatMap(itemProblems),
      ...keys.flatMap(keyProblems),
    ];
  });

export const dynamoProblems = (value: unknown): readonly string[] => {
  const input = request.parse(value);
  return [
    ...(input.Item === undefined ? [] : itemProblems(input.Item)),
    ...(input.Key === undefined ? [] : keyProblems(input.Key)),
    ...(input.ConsistentRead && input.IndexName !== undefined
      ? ["an index has no consistent reads"]
      : []),
    ...expressionProblems(input),
    ...batchProblems(input),
  ];
};
