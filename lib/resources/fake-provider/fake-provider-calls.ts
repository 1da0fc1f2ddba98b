import { Bug } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { CreateObject, FakeAnswer, FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Handler, Progress, ProviderCall, ResourceContext } from "#lib/ports/resource-type.ts";

const POLL_MS_MIN = 200;

export const missingObject = (physicalResourceId: string | null): Progress => ({
  state: "failed",
  reason: `The object (${physicalResourceId}) could not be found.`,
  errorType: "EntityNotFound",
});

export const progressAfter = (
  call: ProviderCall,
  { clock }: ResourceContext,
  answer: FakeAnswer,
  attributes: JsonObject,
): Progress => {
  const isDelete = call.action === "DELETE";
  if (answer.state === "missing" && !isDelete) return missingObject(call.physicalResourceId);
  if (answer.state === "working") {
    const leftMs = answer.readyAt - clock.now();
    return {
      state: "waiting",
      handle: call.token,
      pollAfterMs: Math.max(POLL_MS_MIN, leftMs),
      physicalResourceId: answer.physicalId,
    };
  }
  return answer.state === "done" && !isDelete
    ? { state: "finished", physicalResourceId: answer.physicalId, attributes }
    : { state: "finished", physicalResourceId: null };
};

export const creationOf = (
  { token, tenant, stackName, resourceName: logicalName, properties }: ProviderCall,
  type: string,
  waitMs = 0,
): CreateObject => ({
  token,
  tenant,
  stackName,
  logicalName,
  type,
  properties,
  waitMs,
});

export const removeObject =
  (provider: FakeProvider, waitMsOf: (properties: JsonObject) => number = () => 0): Handler =>
  async (call, context) => {
    const { token, tenant, physicalResourceId: physicalId, properties } = call;
    if (physicalId === null) return { state: "finished", physicalResourceId: null };
    const waitMs = waitMsOf(properties);
    const answer = await provider.delete({ token, tenant, physicalId, waitMs });
    return progressAfter(call, context, answer, {});
  };

const unbound = async (): Promise<never> => {
  throw new Bug("this process has no fake provider: it makes no provider calls");
};

/** For functions that need the test types' schemas but never call a handler. */
export const NO_FAKE_PROVIDER: FakeProvider = {
  create: unbound,
  update: unbound,
  delete: unbound,
  poll: unbound,
  list: unbound,
};
