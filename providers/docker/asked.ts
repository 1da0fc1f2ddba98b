/** How an engine's errors become answers: one that does not answer is asked again later. */
import type { Answer } from "#provider/provider.ts";
import { EngineRefused, EngineUnreachable } from "./engine/client.ts";

const UNREACHABLE_SECONDS = 2;
const BUSY_STATUSES: readonly number[] = [503];

/**
 * Every object has a key, so a call whose outcome is unknown may come again. `physicalId`: what a
 * delete gets if the call is refused after it has done something.
 */
export const asked = async <Result>(
  work: () => Promise<Result>,
  physicalId?: string,
): Promise<Result | Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnreachable) {
      const reason = error.message;
      return { state: "throttled", afterSeconds: UNREACHABLE_SECONDS, reason };
    }
    if (!(error instanceof EngineRefused)) throw error;
    return BUSY_STATUSES.includes(error.status)
      ? { state: "throttled", afterSeconds: UNREACHABLE_SECONDS, reason: error.message }
      : { state: "failed", reason: `Docker: ${error.message}`, physicalId };
  }
};
