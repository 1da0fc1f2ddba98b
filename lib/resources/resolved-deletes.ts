import type { Handler } from "#lib/ports/resource-type.ts";

/**
 * A delete that reads its properties. A resource whose properties failed to resolve has none, and
 * no call was ever made for it. So there is nothing to remove.
 */
export const deleteOfResolved =
  (remove: Handler): Handler =>
  async (call, context) =>
    call.physicalResourceId === null && Object.keys(call.properties).length === 0
      ? { state: "finished", physicalResourceId: null }
      : remove(call, context);
