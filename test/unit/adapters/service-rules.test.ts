import { expect, it } from "vitest";
import { problemsOf, type RuledService } from "#test/aws/rules/ruled-requests.ts";

const S = (text: string) => ({ S: text });
const long = (length: number) => "x".repeat(length);
const TableName = "Stacks";
const Key = { pk: S("T#a"), sk: S("S#1") };
const nested = (levels: number): object =>
  levels === 0 ? S("x") : { M: { m: nested(levels - 1) } };
const put = (Item: object) => ({ TableName, Item: { ...Key, ...Item } });
const update = (UpdateExpression: string, names: object = { "#a": "a" }, values?: object) => ({
  TableName,
  Key,
  UpdateExpression,
  ExpressionAttributeNames: names,
  ...(values && { ExpressionAttributeValues: values }),
});
const writes = (count: number, key = (at: number) => `k${at}`) => ({
  RequestItems: {
    T: Array.from({ length: count }, (_, at) => ({
      DeleteRequest: { Key: { pk: S(key(at)), sk: S("#") } },
    })),
  },
});
const gets = (count: number) => ({
  RequestItems: { T: { Keys: Array.from({ length: count }, (_, at) => ({ pk: S(`k${at}`) })) } },
});
const QueueUrl = "https://sqs/1/q";
const send = (...Entries: readonly object[]) => ({
  QueueUrl,
  Entries: Entries.map((one, at) => ({ Id: `m${at}`, MessageBody: "{}", ...one })),
});
const stateMachineArn = "arn:aws:states:us-east-1:1:stateMachine:a";

type Case = readonly [RuledService, operation: string, input: object, problem: RegExp];
const REFUSED: readonly Case[] = [
  ["dynamodb", "PutItem", { TableName }, /Item is required/],
  ["dynamodb", "PutItem", { ...put({}), Itme: 1 }, /Itme is unknown/],
  ["dynamodb", "PutItem", { ...put({}), TableName: "" }, /TableName is a text of 0/],
  ["dynamodb", "PutItem", { ...put({}), ReturnValues: "EVERY" }, /may not be EVERY/],
  ["dynamodb", "PutItem", put({ a: { S: 1 } }), /is no string/],
  ["dynamodb", "PutItem", put({ a: S(long(409_600)) }), /an item of 4\d+ bytes/],
  ["dynamodb", "PutItem", put({ pk: S("") }), /key pk has 0 bytes/],
  ["dynamodb", "PutItem", put({ sk: S(long(1_025)) }), /key sk has 1025 bytes/],
  ["dynamodb", "GetItem", { TableName, Key: { ...Key, pk: S(long(2_049)) } }, /key pk has 2049/],
  ["dynamodb", "PutItem", put({ a: { N: `1${"2".repeat(38)}` } }), /38 digits/],
  ["dynamodb", "PutItem", put({ a: { SS: [] } }), /a set is empty/],
  ["dynamodb", "PutItem", put({ a: { NS: ["1", "1"] } }), /a member twice/],
  ["dynamodb", "PutItem", put({ a: nested(33) }), /deeper than 32/],
  ["dynamodb", "UpdateItem", update(" "), /an expression is empty/],
  ["dynamodb", "UpdateItem", update(`REMOVE #a${" ".repeat(4_100)}`), /above 4 KB/],
  [
    "dynamodb",
    "UpdateItem",
    update(`SET #a = :v${" + :v".repeat(300)}`, undefined, { ":v": S("") }),
    /above 300/,
  ],
  ["dynamodb", "UpdateItem", update("REMOVE #a", { "#a": "a", "#b": "b" }), /#b is not used/],
  ["dynamodb", "UpdateItem", update("SET #a = :v"), /:v is not defined/],
  ["dynamodb", "UpdateItem", update("REMOVE #a", undefined, {}), /placeholders is empty/],
  [
    "dynamodb",
    "UpdateItem",
    update("SET #a = :v REMOVE #a", undefined, { ":v": S("") }),
    /#a is changed twice/,
  ],
  [
    "dynamodb",
    "UpdateItem",
    update("SET #a = :v REMOVE #a.#b", { "#a": "a", "#b": "b" }, { ":v": S("") }),
    /#a\.#b is/,
  ],
  [
    "dynamodb",
    "Query",
    { TableName, IndexName: "unsettled", ConsistentRead: true },
    /no consistent/,
  ],
  ["dynamodb", "BatchWriteItem", writes(26), /list of 26/],
  ["dynamodb", "BatchWriteItem", writes(2, () => "same"), /a key twice/],
  ["dynamodb", "BatchGetItem", gets(101), /list of 101/],
  ["dynamodb", "TransactWriteItems", {}, /is not in models\.json/],
  ["sqs", "SendMessageBatch", send(), /1 to 10 entries/],
  ["sqs", "SendMessageBatch", send(...Array.from({ length: 11 }, () => ({}))), /1 to 10 entries/],
  ["sqs", "SendMessageBatch", send({ Id: "a" }, { Id: "a" }), /one id/],
  ["sqs", "SendMessageBatch", send({ Id: "a b" }), /the entry's id/],
  ["sqs", "SendMessageBatch", send({ MessageBody: long(262_145) }), /a batch of 262145 bytes/],
  ["sqs", "SendMessageBatch", send({ MessageBody: "\u0001" }), /a character/],
  ["sqs", "SendMessageBatch", send({ DelaySeconds: 901 }), /a delay of 901/],
  ["sqs", "SendMessageBatch", send({ MessageGroupId: long(129) }), /the group/],
  ["s3", "GetObject", { Bucket: "b", Key: long(1_025) }, /a key of 1025/],
  ["stepfunctions", "StartExecution", { stateMachineArn, name: "a/b" }, /the name a\/b/],
  ["stepfunctions", "StartExecution", { stateMachineArn, name: long(81) }, /text of 81/],
  ["stepfunctions", "StartExecution", { stateMachineArn, input: long(262_145) }, /text of 262145/],
  ["secretsmanager", "GetSecretValue", {}, /SecretId is required/],
];

it.each(REFUSED)("%s %s %#", (service, operation, input, problem) => {
  expect(problemsOf(service, operation, input).join("; ")).toMatch(problem);
});

it("lets good requests of each kind through", () => {
  const good: readonly (readonly [RuledService, string, object])[] = [
    [
      "dynamodb",
      "PutItem",
      put({ a: nested(31), b: { B: new Uint8Array(3) }, c: { N: "-1.5e3" } }),
    ],
    [
      "dynamodb",
      "UpdateItem",
      update(
        "SET #a = if_not_exists(#b, :v), #c = :v ADD #d :v",
        { "#a": "a", "#b": "b", "#c": "c", "#d": "d" },
        { ":v": { N: "1" } },
      ),
    ],
    ["dynamodb", "BatchWriteItem", writes(25)],
    ["dynamodb", "BatchGetItem", gets(100)],
    ["sqs", "SendMessageBatch", send({ MessageGroupId: "demo", DelaySeconds: 900 })],
    ["s3", "PutObject", { Bucket: "b", Key: "k", Body: "text" }],
    ["stepfunctions", "StartExecution", { stateMachineArn, name: "a-1", input: "{}" }],
  ];
  for (const [service, operation, input] of good)
    expect(problemsOf(service, operation, input), operation).toEqual([]);
});
