/**
 * How long a stop waits for messages in progress. A call of a provider may take 60 s, and one that
 * is cut off may leave an object whose outcome nobody knows.
 */
export const STOP_SECONDS_DEFAULT = 75;
export const STOP_SECONDS_MAX = 3_600;
/** What a host needs after that: answers in progress, and what its change feed has in hand. */
export const CLOSE_SECONDS_MAX = 4;
