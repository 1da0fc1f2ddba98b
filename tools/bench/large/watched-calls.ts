/**
 * Watches every call of the adapters: none may exceed a limit of its service, and the units of each
 * partition are counted.
 */
import type { AwsService, RequestMeter } from "#lib/adapters/aws/clients.ts";
import { Bug } from "#lib/errors.ts";
import { type Call, callOf, objectBytes } from "./calls.ts";

const KIB = 1_024;
const MIB = KIB * KIB;

export const SERVICE_LIMITS = {
  item: 400 * KIB,
  queryAnswer: MIB,
  batchAnswer: 16 * MIB,
  expression: 4 * KIB,
  values: 2 * MIB,
  batchReadKeys: 100,
  batchWriteKeys: 25,
  message: 256 * KIB,
  batchMessages: 10,
  object: 5 * KIB * MIB,
} as const;

export const PARTITION_WRITE_UNITS = 1_000;
export const PARTITION_READ_UNITS = 3_000;

type Kind = keyof typeof SERVICE_LIMITS;
export type Largest = Readonly<Record<Kind, number>>;

export interface PartitionUnits {
  readonly reads: number;
  readonly writes: number;
}

export interface WatchedUse {
  readonly requests: number;
  readonly messages: number;
  readonly partReads: number;
  readonly objectReads: number;
  readonly largest: Largest;
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, PartitionUnits>>;
}

export interface WatchedCalls extends RequestMeter {
  requests(): number;
  take(): WatchedUse;
}

const NONE: Largest = {
  item: 0,
  queryAnswer: 0,
  batchAnswer: 0,
  expression: 0,
  values: 0,
  batchReadKeys: 0,
  batchWriteKeys: 0,
  message: 0,
  batchMessages: 0,
  object: 0,
};

const sizesOf = (operation: string, call: Call): Partial<Largest> => ({
  item: call.item,
  expression: call.expression,
  values: call.values,
  ...(operation === "Query" && { queryAnswer: call.answer }),
  ...(operation === "BatchGetItem" && { batchAnswer: call.answer, batchReadKeys: call.keys }),
  ...(operation === "BatchWriteItem" && { batchWriteKeys: call.keys }),
  ...(operation === "SendMessageBatch" && {
    message: call.messages.reduce((total, bytes) => total + bytes, 0),
    batchMessages: call.messages.length,
  }),
});

/** The prefix of a graph part's partition key (lib/adapters/aws/keys.ts). */
const PART_PREFIX = "P#";
const READS = new Set(["GetItem", "Query", "BatchGetItem"]);

const KINDS: readonly Kind[] = [
  "item",
  "queryAnswer",
  "batchAnswer",
  "expression",
  "values",
  "batchReadKeys",
  "batchWriteKeys",
  "message",
  "batchMessages",
  "object",
];

const watchSizes = () => {
  let largest: Record<Kind, number> = { ...NONE };
  return {
    check: (service: AwsService, operation: string, sizes: Partial<Largest>): void => {
      for (const kind of KINDS) {
        const size = sizes[kind] ?? 0;
        largest[kind] = Math.max(largest[kind], size);
        const limit = SERVICE_LIMITS[kind];
        if (size > limit) throw new Bug(`${service} ${operation}: ${kind} ${size}, above ${limit}`);
      }
    },
    take: (): Largest => {
      const taken = largest;
      largest = { ...NONE };
      return taken;
    },
  };
};

export const watchCalls = (): WatchedCalls => {
  let requests = 0;
  let taken = 0;
  let messages = 0;
  let partReads = 0;
  let objectReads = 0;
  const sizes = watchSizes();
  let tables = new Map<string, Map<string, PartitionUnits>>();

  const count = (operation: string, call: Call): void => {
    const { table, partitions, units } = call;
    messages += call.messages.length;
    const ofTable = tables.get(table) ?? new Map<string, PartitionUnits>();
    tables.set(table, ofTable);
    const share = units / Math.max(partitions.length, 1);
    for (const partition of partitions) {
      const { reads, writes } = ofTable.get(partition) ?? { reads: 0, writes: 0 };
      const isRead = READS.has(operation);
      if (isRead && partition.startsWith(PART_PREFIX)) partReads++;
      const now = { reads: reads + (isRead ? share : 0), writes: writes + (isRead ? 0 : share) };
      ofTable.set(partition, now);
    }
  };
  return {
    requests: () => requests,
    take: () => {
      const reads = { partReads, objectReads };
      const use = { requests: requests - taken, messages, ...reads, largest: sizes.take(), tables };
      taken = requests;
      messages = 0;
      partReads = 0;
      objectReads = 0;
      tables = new Map();
      return use;
    },
    counting: (service) => ({
      applyToStack: (stack) => {
        stack.add(
          (next, context) => async (args) => {
            requests++;
            const operation = (context.commandName ?? "").replace(/Command$/, "");
            if (service === "s3") {
              if (operation === "GetObject") objectReads++;
              sizes.check(service, operation, { object: objectBytes(args.input) });
              return next(args);
            }
            const asked = { ...args.input, ReturnConsumedCapacity: "TOTAL" };
            const sent = service === "dynamodb" ? { ...args, input: asked } : args;
            let answer: unknown;
            try {
              const result = await next(sent);
              answer = result.output;
              return result;
            } finally {
              const call = callOf(args.input, answer);
              sizes.check(service, operation, sizesOf(operation, call));
              // A rejected write is billed by its item. Rows and SyncPoints have one unit.
              count(operation, answer === undefined ? { ...call, units: 1 } : call);
            }
          },
          { step: "initialize", name: "hearthWatchCalls" },
        );
      },
    }),
  };
};
