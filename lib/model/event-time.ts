/** When a change was made, from two clocks that may both be inexact. Times are in milliseconds. */

const MINUTE_MS = 60_000;

/** A feed may round times down this far: DynamoDB to seconds, LocalStack's newer one to minutes. */
const FEED_ROUNDING_MS_MAX = MINUTE_MS;
/** A worker's clock that is further off is not trusted. */
const CLOCK_ERROR_MS_MAX = MINUTE_MS;
/** The time of an effect may be this much earlier than the time of its cause. */
export const INVERSION_MS_MAX = 2 * (FEED_ROUNDING_MS_MAX + CLOCK_ERROR_MS_MAX);

/**
 * The time of a change: the worker's own, which is exact, unless the feed's time contradicts it.
 * Null: the worker wrote no time into the record with this change.
 */
export const timeOfChange = (fedAt: number, writtenAt: number | null): number => {
  if (writtenAt === null) return fedAt;
  const isPlausible =
    writtenAt >= fedAt - CLOCK_ERROR_MS_MAX &&
    writtenAt < fedAt + FEED_ROUNDING_MS_MAX + CLOCK_ERROR_MS_MAX;
  return isPlausible ? writtenAt : fedAt;
};
