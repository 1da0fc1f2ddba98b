/** When a change was made, from two clocks that may both be inexact. */

const MINUTE_MS = 60_000;

/** DynamoDB's feed rounds times down to seconds, and LocalStack's newer one to minutes. */
const FEED_ROUNDING_MS_MAX = MINUTE_MS;
const CLOCK_ERROR_MS_MAX = MINUTE_MS;
/** An effect may seem this much earlier than its cause. */
export const INVERSION_MS_MAX = 2 * (FEED_ROUNDING_MS_MAX + CLOCK_ERROR_MS_MAX);

/** The worker's own time is exact, and counts unless the feed's time contradicts it. */
export const timeOfChange = (fedAt: number, writtenAt: number | null): number => {
  if (writtenAt === null) return fedAt;
  const isPlausible =
    writtenAt >= fedAt - CLOCK_ERROR_MS_MAX &&
    writtenAt < fedAt + FEED_ROUNDING_MS_MAX + CLOCK_ERROR_MS_MAX;
  return isPlausible ? writtenAt : fedAt;
};
