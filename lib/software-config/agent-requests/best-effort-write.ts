import { RetryLater } from "#lib/errors.ts";

/**
 * If the store is busy, the note is lost. A 503 would make the agent repeat a request that was
 * served.
 */
export const bestEffortWrite = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
  }
};
