import type { UsageNumbers } from "#test/aws/usage.ts";
import { LATENCY_MS } from "./prices.ts";

export const count = (usage: UsageNumbers, ...operations: readonly string[]): number =>
  operations.reduce((total, operation) => total + (usage.requests[operation] ?? 0), 0);

const WRITES = [
  "dynamodb PutItem",
  "dynamodb UpdateItem",
  "dynamodb DeleteItem",
  "dynamodb BatchWriteItem",
];
const READS = ["dynamodb GetItem", "dynamodb Query", "dynamodb BatchGetItem"];

export const writesOf = (usage: UsageNumbers): number => count(usage, ...WRITES);
export const readsOf = (usage: UsageNumbers): number => count(usage, ...READS);

/** The time of all requests if they ran one after another. */
export const requestMs = (usage: UsageNumbers): number =>
  writesOf(usage) * LATENCY_MS.write +
  readsOf(usage) * LATENCY_MS.read +
  count(usage, "sqs SendMessageBatch") * LATENCY_MS.send;
