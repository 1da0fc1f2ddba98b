import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { member } from "#lib/template/json-shape.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { creationOf, missingObject, progressAfter, removeObject } from "./fake-provider-calls.ts";

const TYPE = "Hearth::Test::Scenario";

const create =
  (provider: FakeProvider): Handler =>
  async (call, context) =>
    progressAfter(call, context, await provider.create(creationOf(call, TYPE)), call.properties);

const update =
  (provider: FakeProvider): Handler =>
  async (call, context) => {
    const { token, tenant, physicalResourceId: physicalId, properties } = call;
    if (physicalId === null) return missingObject(physicalId);
    const answer = await provider.update({ token, tenant, physicalId, properties, waitMs: 0 });
    return progressAfter(call, context, answer, properties);
  };

/** Both calls use tokens, so a repeated delete makes no second snapshot. */
const removeWithSnapshot =
  (provider: FakeProvider): Handler =>
  async (call, context) => {
    if (call.physicalResourceId === null) return { state: "finished", physicalResourceId: null };
    const snapshot = { ...call, token: `${call.token}/snapshot` };
    await provider.create(creationOf(snapshot, `${TYPE}::Snapshot`));
    return removeObject(provider)(call, context);
  };

/**
 * Hearth::Test::Scenario: the resource of the convergence scenarios. It accepts any properties and
 * returns them as attributes. A change of a property with `!` in its name replaces the resource.
 */
export const testScenario = (provider: FakeProvider): ResourceType => ({
  type: TYPE,
  schema: {
    description: "An object of the fake provider with any properties, for convergence scenarios.",
    properties: "any",
    attributes: "any",
    mustReplace: (_before, _after, changed) => changed.some((key) => key.includes("!")),
    attribute: (stored, name) => member(stored, name) ?? null,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create(provider),
    handleUpdate: update(provider),
    handleDelete: removeObject(provider),
    onlyLooks: true,
    checkComplete: async (call, handle, context) =>
      progressAfter(call, context, await provider.poll(handle), call.properties),
  },
  snapshots: { handleSnapshotDelete: removeWithSnapshot(provider) },
});

const TOKENLESS = "Hearth::Test::Tokenless";

const createWithoutToken =
  (provider: FakeProvider): Handler =>
  async (call, context) => {
    const given = { ...call, token: `${call.token}/${context.ids.fresh()}` };
    const answer = await provider.create(creationOf(given, TOKENLESS));
    return progressAfter(call, context, answer, call.properties);
  };

/**
 * Like Hearth::Test::Scenario, but its provider ignores tokens. If the answer of a call is lost, it
 * is unknown whether an object was made.
 */
export const testTokenless = (provider: FakeProvider): ResourceType => {
  const scenario = testScenario(provider);
  return {
    type: TOKENLESS,
    schema: {
      ...scenario.schema,
      description: "An object at a provider that ignores tokens, for lost creations.",
    },
    lifecycle: {
      ...scenario.lifecycle,
      tokenPolicy: { tokens: "ignored" },
      handleCreate: createWithoutToken(provider),
    },
  };
};
