/** What is noted of an agent's request for whoever diagnoses it later must cost the agent nothing. */
import { RetryLater } from "#lib/errors.ts";

/** A busy store loses the note: the request was served, and 503 would tell its sender the contrary. */
export const asNote = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
  }
};
