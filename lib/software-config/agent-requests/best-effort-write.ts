/** Notes about an agent's request, kept for a later diagnosis, must never fail the request. */
import { RetryLater } from "#lib/errors.ts";

/** A busy store loses the note. A 503 would make the agent repeat a request that was served. */
export const bestEffortWrite = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
  }
};
