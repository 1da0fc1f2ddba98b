/** How errors of Cloud Control become answers. */
import type { Answer } from "#provider/provider.ts";
import { NoRole, Refused, TryAgain } from "../client.ts";

/** Every request has a token, so one whose outcome is unknown may come again. */
export const asked = async <Found extends Answer | null>(
  work: () => Promise<Found>,
): Promise<Found | Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TryAgain) return { state: "throttled", afterSeconds: error.afterSeconds };
    if (error instanceof NoRole) return { state: "failed", reason: error.message };
    if (!(error instanceof Refused)) throw error;
    return { state: "failed", reason: `AWS: ${error.code}: ${error.message}` };
  }
};
