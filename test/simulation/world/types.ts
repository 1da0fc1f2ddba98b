/** Resource types that only the simulation has. They behave in ways that no shipped type does. */

import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Handler, Progress, ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { testScenario } from "#lib/resources/fake-provider/test-scenario.ts";
import { autoScalingGroup } from "#lib/resources/groups/auto-scaling-group.ts";
import { barrier } from "#lib/resources/groups/barrier.ts";
import { resourceGroup } from "#lib/resources/groups/resource-group.ts";
import { heatScalingPolicy } from "#lib/resources/groups/scaling-policies.ts";
import { stack } from "#lib/resources/nested/stack.ts";
import { firstWaitMs, LATE, polledSoon, simLate, simLocked, simSlow } from "./slow-types.ts";
import { GROUP_TYPE, POLICY_TYPE, SCALING_TYPE, STACK_TYPE } from "./spec.ts";
import { missing, type SimulatedBackEnd, variant } from "./type-variants.ts";

export const signalKey = (resourceId: string, generation: number): string =>
  `signal/${resourceId}/${generation}`;

const beginWaiting =
  ({ provider }: SimulatedBackEnd): Handler =>
  async (call) => {
    const { token, stackName, resourceName, properties } = call;
    const object = { stackName, logicalName: resourceName, type: WAITING, properties };
    const made = call.physicalResourceId ?? "";
    const answer =
      made === ""
        ? await provider.create({ token, ...object, waitMs: 0 })
        : await provider.update({ token, physicalId: made, properties, waitMs: 0 });
    if (answer.state === "missing") return missing;
    return stillWaiting(token, answer.physicalId, properties);
  };

const stillWaiting = (
  handle: string,
  physicalResourceId: string,
  properties: JsonObject = {},
): Progress => ({
  state: "waiting",
  handle,
  pollAfterMs: firstWaitMs(properties, 60),
  physicalResourceId,
});

const WAITING = "Sim::Waiting";
const IMPATIENT = "Sim::Impatient";
const DRAINING = "Sim::Draining";

const simWaiting = (backEnd: SimulatedBackEnd): ResourceType => {
  const { provider, blobs } = backEnd;
  const { schema, lifecycle } = testScenario(provider);
  return {
    type: WAITING,
    schema,
    lifecycle: {
      ...lifecycle,
      repairable: true,
      handleCreate: beginWaiting(backEnd),
      handleUpdate: async (call) => {
        const { token, physicalResourceId, properties } = call;
        const physicalId = physicalResourceId ?? "";
        const answer = await provider.update({ token, physicalId, properties, waitMs: 0 });
        if (answer.state === "missing") return missing;
        return stillWaiting(token, physicalId);
      },
      handleDelete: async (call) => {
        if (call.physicalResourceId === null) {
          return { state: "finished", physicalResourceId: null };
        }
        // An agent must know what it set up to remove it, even after a failure.
        return Object.keys(call.properties).length === 0
          ? { state: "failed", reason: "its properties are lost" }
          : stillWaiting(call.token, call.physicalResourceId);
      },
      checkComplete: async (call, handle) => {
        const result = await blobs.get(signalKey(call.resourceId, call.generation));
        if (result === null) return stillWaiting(handle, call.physicalResourceId ?? "");
        if (call.action !== "DELETE") {
          return result === "FAILED"
            ? { state: "failed", reason: "the signal said so" }
            : { state: "finished", attributes: call.properties };
        }
        const physicalId = call.physicalResourceId ?? "";
        await provider.delete({ token: call.token, physicalId, waitMs: 0 });
        return { state: "finished", physicalResourceId: null };
      },
    },
    waiting: {
      abandon: async (call) => {
        if (call.action === "DELETE") {
          const physicalId = call.physicalResourceId ?? "";
          await provider.delete({ token: call.token, physicalId, waitMs: 0 });
        }
        return null;
      },
    },
  };
};

const simImpatient = (backEnd: SimulatedBackEnd): ResourceType => {
  const waiting = simWaiting(backEnd);
  return {
    ...waiting,
    type: IMPATIENT,
    lifecycle: { ...waiting.lifecycle, operationMsMax: 90_000 },
  };
};

/** Only its DELETE waits for a signal, as if it drained a server. The DELETE may fail. */
const simDraining = (backEnd: SimulatedBackEnd): ResourceType => {
  const waiting = simWaiting(backEnd);
  const { lifecycle } = testScenario(backEnd.provider);
  const { handleDelete, checkComplete } = waiting.lifecycle;
  return {
    ...waiting,
    type: DRAINING,
    lifecycle: {
      ...lifecycle,
      ...(handleDelete ? { handleDelete } : {}),
      checkComplete: async (call, handle, context) => {
        const isDelete = call.action === "DELETE";
        const result = await backEnd.blobs.get(signalKey(call.resourceId, call.generation));
        if (isDelete && result === "FAILED") return { state: "failed", reason: "it cannot drain" };
        const check = isDelete ? checkComplete : lifecycle.checkComplete;
        return (await check?.(call, handle, context)) ?? { state: "finished" };
      },
    },
  };
};

/** The provider cannot update in place and reports this in mid-operation (P9). */
const simRefusing = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, "Sim::Refusing", { handleUpdate: async () => ({ state: "replace" }) });

const createTagged =
  (
    { provider }: SimulatedBackEnd,
    type: string,
    tokenOf: (tag: string, fresh: () => string) => string,
  ): Handler =>
  async (call, { ids }) => {
    const tag = call.token;
    const token = tokenOf(tag, ids.fresh);
    const answer = await provider.create({
      token,
      stackName: call.stackName,
      logicalName: call.resourceName,
      type,
      properties: { ...call.properties, tag },
      waitMs: Number(call.properties["seconds"] ?? 0) * 1_000,
    });
    if (answer.state === "working") return polledSoon(token, answer.physicalId, call.properties);
    return answer.state === "missing"
      ? missing
      : {
          state: "finished",
          physicalResourceId: answer.physicalId,
          attributes: call.properties,
        };
  };

const SEARCHABLE = "Sim::Searchable";

const searchable = (backEnd: SimulatedBackEnd): Partial<ResourceType["lifecycle"]> => ({
  tokenPolicy: { tokens: "searchable" },
  handleCreate: createTagged(backEnd, SEARCHABLE, (tag, fresh) => `${tag}/${fresh()}`),
  find: async (call) => {
    const objects = await backEnd.provider.list();
    const made = objects.find((object) => object.properties["tag"] === call.token);
    return made === undefined
      ? null
      : {
          state: "finished",
          physicalResourceId: made.physicalId,
          attributes: call.properties,
        };
  },
});

/**
 * The provider ignores tokens, but a search by tag finds the object of an operation (P14). A second
 * call without a search makes a second object.
 */
const simSearchable = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, SEARCHABLE, searchable(backEnd));

const simTokenless = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, "Sim::Tokenless", {
    ...searchable(backEnd),
    tokenPolicy: { tokens: "ignored" },
  });

export const FORGETFUL = "Sim::Forgetful";
/** The window is longer than a lease, and shorter than a message stays invisible. */
export const TOKEN_WINDOW_MS = 120_000;

/** The provider forgets tokens after a while. After that, only a search finds the object (P14). */
const simForgetful = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, FORGETFUL, {
    ...searchable(backEnd),
    tokenPolicy: { tokens: "window", windowMs: TOKEN_WINDOW_MS },
    handleCreate: createTagged(backEnd, FORGETFUL, (tag) => tag),
  });

/**
 * The provider refuses the first row that is created with a value, and refuses the same row when it
 * is repeated. So the creation needs another row (P9).
 */
const simPicky = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, "Sim::Picky", {
    handleCreate: async (call, context) => {
      const { blobs, provider } = backEnd;
      const key = `refused/${call.resourceName}/${String(call.properties["v!"])}`;
      await blobs.put(key, call.resourceId);
      const refused = await blobs.get(key);
      if (refused === call.resourceId) return { state: "replace" };
      const { handleCreate } = testScenario(provider).lifecycle;
      return handleCreate?.(call, context) ?? { state: "finished" };
    },
  });

const simSeeing = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, "Sim::Seeing", {
    handleCheck: async ({ physicalResourceId, action }) =>
      action === "CHECK" && physicalResourceId?.endsWith("missing") === true
        ? { state: "failed", reason: "object is missing" }
        : { state: "finished" },
  });

const simDrifting = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, "Sim::Drifting", {
    handleCheck: async ({ physicalResourceId }) => ({
      state: "finished",
      refId: `${physicalResourceId} drifted`,
    }),
  });

const NAMED = "Sim::Named";

/**
 * The provider knows an object by its name. Creating one of a name that exists changes that object,
 * so a replacement has the same physical id (P17).
 */
const simNamed = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, NAMED, {
    handleCreate: async (call) => {
      const { provider } = backEnd;
      const { token, stackName, resourceName: logicalName, properties } = call;
      const named = (await provider.list()).find(
        (one) =>
          one.type === NAMED && one.stackName === stackName && one.logicalName === logicalName,
      );
      const waitMs = Number(properties["seconds"] ?? 0) * 1_000;
      const object = { stackName, logicalName, type: NAMED, properties };
      const answer =
        named === undefined
          ? await provider.create({ token, ...object, waitMs })
          : await provider.update({ token, physicalId: named.physicalId, properties, waitMs });
      if (answer.state === "missing") return missing;
      return answer.state === "working"
        ? polledSoon(token, answer.physicalId, properties)
        : { state: "finished", physicalResourceId: answer.physicalId, attributes: properties };
    },
  });

const MENDED = "Sim::Mended";

/**
 * The object stays after a failed change. An update changes what differs from the last success, so
 * only a call with `repairs` takes back what a failed change has done. With `breaks` a call fails
 * after it has done all its work.
 */
const simMended = (backEnd: SimulatedBackEnd): ResourceType => {
  const { provider } = backEnd;
  const ended = (physicalResourceId: string, properties: JsonObject): Progress =>
    properties["breaks"] === undefined
      ? { state: "finished", physicalResourceId, attributes: properties }
      : { state: "failed", reason: "it broke", physicalResourceId };
  return variant(backEnd, MENDED, {
    repairable: "changes",
    handleCreate: async ({ token, stackName, resourceName, properties }) => {
      const object = { stackName, logicalName: resourceName, type: MENDED, properties };
      const answer = await provider.create({ token, ...object, waitMs: 0 });
      return answer.state === "missing" ? missing : ended(answer.physicalId, properties);
    },
    handleUpdate: async ({
      token,
      physicalResourceId,
      properties,
      previousProperties,
      repairs,
    }) => {
      const physicalId = physicalResourceId ?? "";
      const isSame = JSON.stringify(properties) === JSON.stringify(previousProperties);
      if (isSame && repairs !== true) return { state: "finished" };
      const answer = await provider.update({ token, physicalId, properties, waitMs: 0 });
      return answer.state === "missing" ? missing : ended(physicalId, properties);
    },
  });
};

export const isWaitingType = (type: string | undefined): boolean =>
  type === WAITING || type === IMPATIENT || type === DRAINING;

/** The creation makes the object and then fails, so that the failed row has an object to delete. */
const simBroken = (backEnd: SimulatedBackEnd): ResourceType =>
  variant(backEnd, "Sim::Broken", {
    handleCreate: async (call) => {
      const { token, stackName, resourceName, properties } = call;
      const object = { stackName, logicalName: resourceName, type: "Sim::Broken", properties };
      const answer = await backEnd.provider.create({ token, ...object, waitMs: 0 });
      return answer.state === "missing"
        ? missing
        : { state: "failed", reason: "it is broken", physicalResourceId: answer.physicalId };
    },
  });

/** The type orders other resources, like the barriers between the batches of a group. */
const simBarrier = (backEnd: SimulatedBackEnd): ResourceType => ({
  ...variant(backEnd, "Sim::Barrier", {}),
  ordering: "barrier",
});

const FACTORIES: ReadonlyMap<string, (backEnd: SimulatedBackEnd) => ResourceType> = new Map([
  ["Hearth::Test::Scenario", ({ provider }: SimulatedBackEnd) => testScenario(provider)],
  [WAITING, simWaiting],
  [IMPATIENT, simImpatient],
  [DRAINING, simDraining],
  ["Sim::Slow", simSlow],
  [LATE, simLate],
  ["Sim::Locked", simLocked],
  ["Sim::Refusing", simRefusing],
  [SEARCHABLE, simSearchable],
  [FORGETFUL, simForgetful],
  ["Sim::Tokenless", simTokenless],
  ["Sim::Picky", simPicky],
  ["Sim::Broken", simBroken],
  [MENDED, simMended],
  ["Sim::Seeing", simSeeing],
  ["Sim::Drifting", simDrifting],
  [NAMED, simNamed],
  ["Sim::Barrier", simBarrier],
  [STACK_TYPE, ({ engine }: SimulatedBackEnd) => stack(engine)],
  [GROUP_TYPE, ({ engine }: SimulatedBackEnd) => resourceGroup(engine)],
  [SCALING_TYPE, ({ engine }: SimulatedBackEnd) => autoScalingGroup(engine)],
  [POLICY_TYPE, ({ engine }: SimulatedBackEnd) => heatScalingPolicy(engine)],
  [BARRIER_TYPE, ({ engine }: SimulatedBackEnd) => barrier(engine)],
]);

/** A type is bound when first needed, because an exhaustive search makes a world for each state. */
export const simulatedTypes = (backEnd: SimulatedBackEnd): ResourceTypes => {
  const bound = new Map<string, ResourceType>();
  return {
    get: async (name) => {
      const known = bound.get(name);
      if (known !== undefined) return known;
      const type = FACTORIES.get(name)?.(backEnd) ?? null;
      if (type !== null) bound.set(name, type);
      return type;
    },
    names: () => [...FACTORIES.keys()],
  };
};
