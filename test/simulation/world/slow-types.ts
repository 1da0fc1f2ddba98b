import type { JsonObject } from "#lib/json.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { progressAfter, removeObject } from "#lib/resources/fake-provider/fake-provider-calls.ts";
import { testScenario } from "#lib/resources/fake-provider/test-scenario.ts";
import { missing, type SimulatedBackEnd, variant } from "./type-variants.ts";

export const LATE = "Sim::Late";

/** The operation finishes by itself after a while, which polls notice. No update interrupts it. */
export const simSlow = (backEnd: SimulatedBackEnd): ResourceType => {
  const { provider } = backEnd;
  const change =
    (secondsMin: number): Handler =>
    async (call, context) => {
      const { token, physicalResourceId, properties } = call;
      const physicalId = physicalResourceId ?? "";
      const waitMs = Number(properties["seconds"] ?? secondsMin) * 1_000;
      const answer = await provider.update({ token, physicalId, properties, waitMs });
      return progressAfter(call, context, answer, properties);
    };
  const slow = variant(backEnd, "Sim::Slow", {
    handleCreate: createdSlowly(backEnd, "Sim::Slow"),
    handleUpdate: change(0),
    handleDelete: removeObject(provider, (given) => Number(given["goes"] ?? 0) * 1_000),
  });
  return { ...slow, snapshots: { ...slow.snapshots, handleSnapshot: change(5) } };
};

const createdSlowly =
  ({ provider }: SimulatedBackEnd, type: string): Handler =>
  async (call) => {
    const answer = await createSlowly(provider, call, type);
    return answer.state === "missing"
      ? missing
      : polledSoon(call.token, answer.physicalId, call.properties);
  };

/**
 * The provider returns the id of an object only when its creation has ended, and finds nothing
 * before. Until then the token of the creation stands for the id.
 */
export const simLate = (backEnd: SimulatedBackEnd): ResourceType => {
  const { provider } = backEnd;
  const { handleDelete } = testScenario(provider).lifecycle;
  const remove: Handler = async (call, context) => {
    const { token, physicalResourceId } = call;
    const made = await provider.poll(physicalResourceId ?? "");
    if (made.state === "working") return polledSoon(token, physicalResourceId ?? "");
    const physicalId = made.state === "done" ? made.physicalId : physicalResourceId;
    const there = { ...call, physicalResourceId: physicalId };
    return (await handleDelete?.(there, context)) ?? { state: "finished" };
  };
  return variant(backEnd, LATE, {
    onlyLooks: false,
    handleCreate: async (call) => {
      await createSlowly(provider, call, LATE);
      return polledSoon(call.token, call.token, call.properties);
    },
    handleDelete: remove,
    checkComplete: async (call, handle, context) => {
      if (call.action === "DELETE") return remove(call, context);
      const answer = await provider.poll(handle);
      return answer.state === "working"
        ? polledSoon(handle, handle)
        : progressAfter(call, context, answer, call.properties);
    },
  });
};

/** The provider refuses to delete an object while the object is being created. */
export const simLocked = (backEnd: SimulatedBackEnd): ResourceType => {
  const { provider } = backEnd;
  const { handleDelete } = testScenario(provider).lifecycle;
  return variant(backEnd, "Sim::Locked", {
    deleteWaits: true,
    handleCreate: createdSlowly(backEnd, "Sim::Locked"),
    handleDelete: async (call, context) => {
      const made = await provider.poll(`${call.resourceId}/CREATE/1`);
      if (made.state === "working") return { state: "failed", reason: "the object is locked" };
      return (await handleDelete?.(call, context)) ?? { state: "finished" };
    },
  });
};

const createSlowly = (
  provider: FakeProvider,
  { token, stackName, resourceName: logicalName, properties }: ProviderCall,
  type: string,
) => {
  const waitMs = Number(properties["seconds"] ?? 5) * 1_000;
  return provider.create({ token, stackName, logicalName, type, properties, waitMs });
};

/** The property `poll` has the seconds of the first wait. Up to four, the lease is kept (P26). */
export const firstWaitMs = (properties: JsonObject, seconds: number): number =>
  Number(properties["poll"] ?? seconds) * 1_000;

export const polledSoon = (
  handle: string,
  physicalResourceId: string,
  properties: JsonObject = {},
): Progress => ({
  state: "waiting",
  handle,
  pollAfterMs: firstWaitMs(properties, 5),
  physicalResourceId,
});
