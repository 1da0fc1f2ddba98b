/** What every handler here gets around it in Lambda. */
import type { Context } from "aws-lambda";
import { openInvocations } from "#functions/logger.ts";
import type { Meter } from "#functions/meter.ts";

export type LambdaEntry<Event, Result> = (event: Event, context: Context) => Promise<Result>;

export interface Around {
  /** The log lines name it. */
  readonly revision?: string;
  /** Awaited before each event. */
  readonly before?: () => Promise<void>;
  /** Called after each event, even a failed one. */
  readonly after?: () => void;
}

const isFault = (result: unknown): boolean =>
  typeof result === "object" &&
  result !== null &&
  "statusCode" in result &&
  result.statusCode === 500;

/** Counts the answers that are a fault of ours. A 503 is none: its client comes again. */
export const countingFaults =
  <Event, Result>(handler: LambdaEntry<Event, Result>, meter: Meter): LambdaEntry<Event, Result> =>
  async (event, context) => {
    const result = await handler(event, context);
    if (isFault(result)) meter.add("Faults", 1);
    return result;
  };

/** The log lines name the invocation. */
export const lambdaEntry = <Event, Result>(
  handler: LambdaEntry<Event, Result>,
  { revision, before, after }: Around = {},
): LambdaEntry<Event, Result> => {
  const within = openInvocations({ revision });
  return (event, context) =>
    within(context, async () => {
      try {
        await before?.();
        return await handler(event, context);
      } finally {
        after?.();
      }
    });
};
