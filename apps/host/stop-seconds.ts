/**
 * How long a stop waits for messages in progress. A provider call may take 60 s. If a create is cut
 * off, nobody knows whether its object exists.
 */
export const STOP_SECONDS_DEFAULT = 75;
export const STOP_SECONDS_MAX = 3_600;
/** The time for answers in progress and for the current batch of the change feed. */
export const CLOSE_SECONDS_MAX = 4;
