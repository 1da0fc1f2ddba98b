/**
 * Counts the adapters' requests by operation, and the units that DynamoDB reports. The middleware
 * counts each attempt inside the SDK's retries, because AWS bills each attempt.
 */
import * as z from "zod";
import type { RequestMeter } from "#lib/adapters/aws/clients.ts";
import { type AwsAdapter, type AwsOptions, openAws } from "#lib/adapters/aws/open-aws.ts";
import { metersInTurn } from "./in-process/services.ts";

export interface UsageNumbers {
  readonly requests: { readonly [operation: string]: number };
  readonly readUnits: number;
  readonly writeUnits: number;
  /**
   * Each is billed as a write of its item. It counts as one unit here, because the answer has no
   * size.
   */
  readonly refusedWrites: number;
}

export interface Usage {
  read(): UsageNumbers;
  reset(): void;
}

export interface UsageCounter extends Usage, RequestMeter {}

export interface CountedAws extends AwsAdapter {
  readonly usage: Usage;
}

export const openCountedAws = (options: AwsOptions): CountedAws => {
  const usage = countUsage();
  return { ...openAws({ ...options, meter: metersInTurn(usage, options.meter) }), usage };
};

const capacity = z.object({ CapacityUnits: z.optional(z.number()) });
const answer = z.object({
  ConsumedCapacity: z.optional(z.union([capacity, z.array(capacity)])),
});

const unitsOf = (output: unknown): number => {
  const consumed = answer.safeParse(output).data?.ConsumedCapacity ?? [];
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

const READS = new Set(["GetItem", "Query", "BatchGetItem", "Scan"]);

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.name === "ConditionalCheckFailedException";

export const countUsage = (): UsageCounter => {
  let requests: Record<string, number> = {};
  let units = { readUnits: 0, writeUnits: 0, refusedWrites: 0 };
  const consumed = (operation: string, output: unknown): void => {
    if (READS.has(operation)) units.readUnits += unitsOf(output);
    else units.writeUnits += unitsOf(output);
  };
  const refused = (): void => {
    units.refusedWrites += 1;
    units.writeUnits += 1;
  };

  return {
    read: () => ({ requests: { ...requests }, ...units }),
    reset: () => {
      requests = {};
      units = { readUnits: 0, writeUnits: 0, refusedWrites: 0 };
    },
    counting: (service) => ({
      applyToStack: (stack) => {
        if (service === "dynamodb") stack.add(askForUnits, { step: "initialize" });
        stack.add(
          (next, context) => async (args) => {
            const operation = (context.commandName ?? "").replace(/Command$/, "");
            const name = `${service} ${operation}`;
            requests[name] = (requests[name] ?? 0) + 1;
            try {
              const result = await next(args);
              if (service === "dynamodb") consumed(operation, result.output);
              return result;
            } catch (error) {
              if (isRefusal(error)) refused();
              throw error;
            }
          },
          // This step also contains the retries, which have a higher priority and so run outside.
          { step: "finalizeRequest", priority: "low", name: "hearthCountUsage" },
        );
      },
    }),
  };
};

const askForUnits =
  <Input extends object, Result>(next: (args: { input: Input }) => Promise<Result>) =>
  (args: { input: Input }): Promise<Result> =>
    next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } });
