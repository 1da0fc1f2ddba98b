/**
 * The failure of a nested stack as that of the resource which it is: Heat's `ResourceFailure`. The
 * class of the error goes up, and the place below follows the place above.
 */
import type { Progress } from "#lib/ports/resource-type.ts";

/**
 * `action` is the nested stack's, and a reason is `Resource CREATE failed: ValueError: resources.x:
 * text`. Any other reason is told as it is.
 */
export const failureBelow = (reason: string, action: string): Progress => {
  const [, errorType = "", below = "", ...message] = reason.split(":").map((part) => part.trim());
  const isOfAction = reason.includes(`Resource ${action} failed: `);
  return isOfAction && message.length > 0
    ? { state: "failed", errorType, below, reason: message.join(": ") }
    : { state: "failed", errorType: "", reason };
};
