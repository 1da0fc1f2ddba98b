/**
 * Turns the failure of a nested stack into one of its resource, as Heat's `ResourceFailure` does.
 * The error's class is kept, and its place is appended to the place in the parent.
 */
import type { Progress } from "#lib/ports/resource-type.ts";

/**
 * Splits a reason such as `Resource CREATE failed: ValueError: resources.x: text`, where `action`
 * is the action of the nested stack. Any other reason is passed on unchanged.
 */
export const failureBelow = (reason: string, action: string): Progress => {
  const [, errorType = "", below = "", ...message] = reason.split(":").map((part) => part.trim());
  const isOfAction = reason.includes(`Resource ${action} failed: `);
  return isOfAction && message.length > 0
    ? { state: "failed", errorType, below, reason: message.join(": ") }
    : { state: "failed", errorType: "", reason };
};
