import type { Handler } from "#lib/ports/resource-type.ts";

/**
 * Wraps a delete that reads its properties. If a resource's properties failed to resolve, it has
 * none and nothing was ever created. So there is nothing to remove.
 */
export const deleteOfResolved =
  (remove: Handler): Handler =>
  async (call, context) =>
    call.physicalResourceId === null && Object.keys(call.properties).length === 0
      ? { state: "finished", physicalResourceId: null }
      : remove(call, context);
