import type { Answer } from "#provider/provider.ts";
import { EngineRefused, EngineUnreachable } from "./engine/client.ts";

const AGAIN_SECONDS = 2;
const POLL_SECONDS = 1;
const UNAVAILABLE = 503;

const again = ({ message }: Error): Answer => ({
  state: "throttled",
  afterSeconds: AGAIN_SECONDS,
  reason: message,
});

export const waiting = (physicalId: string): Answer => ({
  state: "waiting",
  physicalId,
  pollAfterSeconds: POLL_SECONDS,
});

/**
 * Every object has a key, so a call whose outcome is unknown is repeated. If a refused call may
 * have done something, `physicalId` is what a delete gets.
 */
export const asked = async <Result>(
  work: () => Promise<Result>,
  physicalId?: string,
): Promise<Result | Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnreachable) return again(error);
    if (!(error instanceof EngineRefused)) throw error;
    return error.status === UNAVAILABLE
      ? again(error)
      : { state: "failed", reason: `Docker: ${error.message}`, physicalId };
  }
};
