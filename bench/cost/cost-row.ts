/** What a run cost: counts per resource, dollars and time. */
import type { UsageNumbers } from "#test/aws/usage.ts";
import { edgesOf, type Graph } from "./graphs.ts";
import { FUNCTION_GB, LATENCY_MS, PRICES } from "./prices.ts";
import type { Run } from "./run.ts";

export interface CostRow {
  readonly resources: number;
  readonly edges: number;
  /** Per resource, like all counts here. Events and the graph are included. */
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sends: number;
  readonly receives: number;
  readonly deletes: number;
  readonly invocations: number;
  /** For a thousand resources. */
  readonly dollars: number;
  /** The time that one resource spends on database requests and work. */
  readonly hopMs: number;
}

const count = (usage: UsageNumbers, ...operations: readonly string[]): number =>
  operations.reduce((total, operation) => total + (usage.requests[operation] ?? 0), 0);

const WRITES = ["dynamodb PutItem", "dynamodb UpdateItem", "dynamodb DeleteItem"];
const READS = ["dynamodb GetItem", "dynamodb Query"];
const MS = 1_000;
const PER = 1_000;

export const writesOf = (usage: UsageNumbers): number => count(usage, ...WRITES);

/** A function handles the messages of a batch in parallel, so it waits once for all of them. */
const lambdaDollars = ({ usage, invocations, messages, eventInvocations }: Run): number => {
  const busyMs = writesOf(usage) * LATENCY_MS.write + count(usage, ...READS) * LATENCY_MS.read;
  const billedSeconds = (busyMs * invocations) / messages / MS;
  return (
    (invocations + eventInvocations) * PRICES.invocation +
    billedSeconds * FUNCTION_GB * PRICES.lambdaGbSecond
  );
};

export const costRow = (graph: Graph, run: Run): CostRow => {
  const { usage } = run;
  const resources = Object.keys(graph).length;
  const sends = count(usage, "sqs SendMessageBatch");
  const receives = count(usage, "sqs ReceiveMessage");
  const deletes = count(usage, "sqs DeleteMessageBatch");
  const dollars =
    usage.writeUnits * PRICES.writeUnit +
    usage.readUnits * PRICES.readUnit +
    (sends + receives + deletes) * PRICES.sqsRequest +
    count(usage, "s3 PutObject") * PRICES.s3Put +
    count(usage, "s3 GetObject", "s3 HeadObject") * PRICES.s3Get +
    lambdaDollars(run);
  const hop =
    (writesOf(usage) / resources) * LATENCY_MS.write +
    (count(usage, ...READS) / resources) * LATENCY_MS.read +
    LATENCY_MS.work;
  return {
    resources,
    edges: edgesOf(graph),
    writeUnits: usage.writeUnits / resources,
    readUnits: usage.readUnits / resources,
    sends: sends / resources,
    receives: receives / resources,
    deletes: deletes / resources,
    invocations: (run.invocations + run.eventInvocations) / resources,
    dollars: (dollars / resources) * PER,
    hopMs: hop,
  };
};
