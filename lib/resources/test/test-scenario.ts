import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { member } from "#lib/template/json-shape.ts";
import { cloudProgress, missingObject } from "./fake-provider-calls.ts";

const TYPE = "Hearth::Test::Scenario";

const handleCreate: Handler = async (call, ports) => {
  const { token, stackName, resourceName: logicalName, properties } = call;
  const request = { token, stackName, logicalName, type: TYPE, properties, waitMs: 0 };
  return cloudProgress(call, ports, await ports.fakeProvider.create(request), properties);
};

const handleUpdate: Handler = async (call, ports) => {
  const { token, physicalResourceId: physicalId, properties } = call;
  if (physicalId === null) return missingObject(physicalId);
  const answer = await ports.fakeProvider.update({ token, physicalId, properties, waitMs: 0 });
  return cloudProgress(call, ports, answer, properties);
};

const handleDelete: Handler = async (call, ports) => {
  const { token, physicalResourceId: physicalId } = call;
  if (physicalId === null) return { state: "finished", physicalResourceId: null };
  const answer = await ports.fakeProvider.delete({ token, physicalId, waitMs: 0 });
  return cloudProgress(call, ports, answer, {});
};

/** Both calls keep their tokens, so that a repeated one makes no second snapshot. */
const handleSnapshotDelete: Handler = async (call, ports) => {
  if (call.physicalResourceId === null) return { state: "finished", physicalResourceId: null };
  await ports.fakeProvider.create({
    token: `${call.token}/snapshot`,
    stackName: call.stackName,
    logicalName: call.resourceName,
    type: `${TYPE}::Snapshot`,
    properties: call.properties,
    waitMs: 0,
  });
  return handleDelete(call, ports);
};

/**
 * Hearth::Test::Scenario: the resource of the convergence scenarios. It has any properties, reads them
 * back as attributes, and is replaced where the key of a changed one contains an exclamation mark.
 */
export const testScenario: ResourceType = {
  ...OWN_TYPE,
  type: TYPE,
  description:
    "An object of the fake provider with any properties, for telling convergence scenarios.",
  properties: "any",
  attributes: "any",
  mustReplace: (_before, _after, changed) => changed.some((key) => key.includes("!")),
  handleCreate,
  handleUpdate,
  handleDelete,
  handleSnapshotDelete,
  checkComplete: async (call, handle, ports) =>
    cloudProgress(call, ports, await ports.fakeProvider.poll(handle), call.properties),
  attribute: (stored, name) => member(stored, name) ?? null,
};
