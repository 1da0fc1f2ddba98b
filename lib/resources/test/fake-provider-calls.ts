/** What the types of the fake provider share: they ask with their token, and ask again with it until the object is ready. */
import type { JsonObject } from "#lib/json.ts";
import type { CloudAnswer } from "#lib/ports/fake-provider.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall } from "#lib/ports/resource-type.ts";

const POLL_MS_MIN = 200;

export const missingObject = (physicalResourceId: string | null): Progress => ({
  state: "failed",
  reason: `The object (${physicalResourceId}) could not be found.`,
  errorType: "EntityNotFound",
});

/** What an answer means for the operation: `attributes` are those of its success. */
export const cloudProgress = (
  call: ProviderCall,
  ports: Ports,
  answer: CloudAnswer,
  attributes: JsonObject,
): Progress => {
  const isDelete = call.action === "DELETE";
  if (answer.state === "missing" && !isDelete) return missingObject(call.physicalResourceId);
  if (answer.state === "working") {
    const left = answer.readyAt - ports.clock.now();
    return {
      state: "waiting",
      handle: call.token,
      pollAfterMs: Math.max(POLL_MS_MIN, left),
      physicalResourceId: answer.physicalId,
    };
  }
  return answer.state === "done" && !isDelete
    ? { state: "finished", physicalResourceId: answer.physicalId, attributes }
    : { state: "finished", physicalResourceId: null };
};
