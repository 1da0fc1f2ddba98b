/** What stands between Lambda and every handler here. */
import type { Context } from "aws-lambda";
import { logger } from "#functions/logger.ts";

export type Entry<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/** The log lines name the invocation; `before` is awaited first. */
export const lambdaEntry =
  <Event, Result>(
    handler: Entry<Event, Result>,
    before: () => Promise<void> = async () => undefined,
  ): Entry<Event, Result> =>
  async (event, context) => {
    logger.enter(context);
    await before();
    return handler(event, context);
  };
