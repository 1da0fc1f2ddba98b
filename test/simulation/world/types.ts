/** Resource types that only the simulation has. They behave in ways that no shipped type does. */
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { stack } from "#lib/resources/nested/stack.ts";
import { testScenario } from "#lib/resources/test/test-scenario.ts";

/** The key of a signal's stored result, as for deployments. */
export const signalKey = (resourceId: string, generation: number): string =>
  `signal/${resourceId}/${generation}`;

/**
 * Waits for a signal, like a deployment: interruptible and repaired in place. Its object at the
 * provider stands for the agent's work on the server.
 */
const simWaiting: ResourceType = {
  ...testScenario,
  type: "Sim::Waiting",
  interruptible: true,
  repairable: true,
  handleCreate: async (call, ports) => {
    const { token, stackName, resourceName, properties } = call;
    const object = { stackName, logicalName: resourceName, type: "Sim::Waiting", properties };
    const made = call.physicalResourceId ?? "";
    const answer =
      made === ""
        ? await ports.fakeProvider.create({ token, ...object, waitMs: 0 })
        : await ports.fakeProvider.update({ token, physicalId: made, properties, waitMs: 0 });
    if (answer.state === "missing") return { state: "failed", reason: "object is missing" };
    return {
      state: "waiting",
      handle: token,
      pollAfterMs: 60_000,
      physicalResourceId: answer.physicalId,
    };
  },
  handleUpdate: async (call, ports) => {
    const { token, physicalResourceId, properties } = call;
    const physicalId = physicalResourceId ?? "";
    const answer = await ports.fakeProvider.update({ token, physicalId, properties, waitMs: 0 });
    if (answer.state === "missing") return { state: "failed", reason: "object is missing" };
    return { state: "waiting", handle: token, pollAfterMs: 60_000 };
  },
  handleDelete: async (call) => {
    if (call.physicalResourceId === null) return { state: "finished", physicalResourceId: null };
    // An agent must know what it set up to take it down, even after a failure.
    return Object.keys(call.properties).length === 0
      ? { state: "failed", reason: "its properties are lost" }
      : { state: "waiting", handle: call.token, pollAfterMs: 60_000 };
  },
  checkComplete: async (call, handle, ports) => {
    const result = await ports.blobs.get(signalKey(call.resourceId, call.generation));
    if (result === null) return { state: "waiting", handle, pollAfterMs: 60_000 };
    if (call.action !== "DELETE") {
      return result === "FAILED"
        ? { state: "failed", reason: "the signal said so" }
        : { state: "finished", attributes: call.properties };
    }
    await ports.fakeProvider.delete({
      token: call.token,
      physicalId: call.physicalResourceId ?? "",
      waitMs: 0,
    });
    return { state: "finished", physicalResourceId: null };
  },
  abandon: async (call, ports) => {
    if (call.action === "DELETE") {
      await ports.fakeProvider.delete({
        token: call.token,
        physicalId: call.physicalResourceId ?? "",
        waitMs: 0,
      });
    }
    return null;
  },
};

/** Finishes by itself after a while, which polls notice. It cannot be interrupted. */
const simSlow: ResourceType = {
  ...testScenario,
  type: "Sim::Slow",
  handleCreate: async (call, ports) => {
    const { token, stackName, resourceName, properties } = call;
    const answer = await ports.fakeProvider.create({
      token,
      stackName,
      logicalName: resourceName,
      type: "Sim::Slow",
      properties,
      waitMs: 5_000,
    });
    if (answer.state === "missing") return { state: "failed", reason: "object is missing" };
    return {
      state: "waiting",
      handle: token,
      pollAfterMs: 5_000,
      physicalResourceId: answer.physicalId,
    };
  },
};

/** The provider cannot update in place and reports this in mid-operation (P9). */
const simRefusing: ResourceType = {
  ...testScenario,
  type: "Sim::Refusing",
  handleUpdate: async () => ({ state: "replace" }),
};

/**
 * The provider ignores tokens, but a search by tag finds the object of an operation (P14). A second
 * call without a search makes a second object.
 */
const simSearchable: ResourceType = {
  ...testScenario,
  type: "Sim::Searchable",
  tokenPolicy: { tokens: "searchable" },
  handleCreate: async (call, ports) => {
    const tag = call.token;
    const answer = await ports.fakeProvider.create({
      token: `${tag}/${ports.ids.fresh()}`,
      stackName: call.stackName,
      logicalName: call.resourceName,
      type: "Sim::Searchable",
      properties: { ...call.properties, tag },
      waitMs: 0,
    });
    if (answer.state === "missing") return { state: "failed", reason: "object is missing" };
    return {
      state: "finished",
      physicalResourceId: answer.physicalId,
      attributes: call.properties,
    };
  },
  find: async (call, ports) => {
    const objects = await ports.fakeProvider.list();
    const made = objects.find((object) => object.properties["tag"] === call.token);
    return made === undefined
      ? null
      : {
          state: "finished",
          physicalResourceId: made.physicalId,
          attributes: call.properties,
        };
  },
};

/** The provider ignores tokens, and no search finds the object of an operation (P14). */
const simTokenless: ResourceType = {
  ...simSearchable,
  type: "Sim::Tokenless",
  tokenPolicy: { tokens: "ignored" },
};

/**
 * The provider refuses the first row that is created with a value, and refuses that row again on
 * repetition. So the creation needs another row (P9).
 */
const simPicky: ResourceType = {
  ...testScenario,
  type: "Sim::Picky",
  handleCreate: async (call, ports) => {
    const key = `refused/${call.resourceName}/${String(call.properties["v!"])}`;
    await ports.blobs.put(key, call.resourceId);
    const refused = await ports.blobs.get(key);
    if (refused === call.resourceId) return { state: "replace" };
    return testScenario.handleCreate?.(call, ports) ?? { state: "finished" };
  },
};

/** Its agent has less time than the stack has. */
const simImpatient: ResourceType = {
  ...simWaiting,
  type: "Sim::Impatient",
  operationMsMax: 90_000,
};

export const FORGETFUL = "Sim::Forgetful";
/** Longer than a lease, shorter than a message stays invisible. */
export const TOKEN_WINDOW_MS = 120_000;

/** The provider forgets tokens after a while. After that, only a search finds the object (P14). */
const simForgetful: ResourceType = {
  ...simSearchable,
  type: FORGETFUL,
  tokenPolicy: { tokens: "window", windowMs: TOKEN_WINDOW_MS },
  handleCreate: async (call, ports) => {
    const { token, stackName, resourceName: logicalName, properties } = call;
    const answer = await ports.fakeProvider.create({
      token,
      stackName,
      logicalName,
      type: FORGETFUL,
      properties: { ...properties, tag: token },
      waitMs: 0,
    });
    return answer.state === "missing"
      ? { state: "failed", reason: "object is missing" }
      : { state: "finished", physicalResourceId: answer.physicalId, attributes: properties };
  },
};

/** The types whose operations end with a signal. */
export const isWaitingType = (type: string | undefined): boolean =>
  type === simWaiting.type || type === simImpatient.type;

/** Creates its object and then fails, so that the failed row has an object to delete. */
const simBroken: ResourceType = {
  ...testScenario,
  type: "Sim::Broken",
  handleCreate: async (call, ports) => {
    const { token, stackName, resourceName, properties } = call;
    const object = { stackName, logicalName: resourceName, type: "Sim::Broken", properties };
    const answer = await ports.fakeProvider.create({ token, ...object, waitMs: 0 });
    return answer.state === "missing"
      ? { state: "failed", reason: "object is missing" }
      : { state: "failed", reason: "it is broken", physicalResourceId: answer.physicalId };
  },
};

/**
 * Orders other resources, like the barriers between the batches of a group. Its object shows where
 * it is.
 */
const simBarrier: ResourceType = { ...testScenario, type: "Sim::Barrier", ordersOnly: true };

const all = new Map(
  [
    testScenario,
    simWaiting,
    simImpatient,
    simSlow,
    simRefusing,
    simSearchable,
    simForgetful,
    simTokenless,
    simPicky,
    simBroken,
    simBarrier,
    stack,
  ].map((type) => [type.type, type]),
);

export const simulatedTypes: ResourceTypes = {
  get: (type) => all.get(type) ?? null,
  names: () => [...all.keys()],
};
