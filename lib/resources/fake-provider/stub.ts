/**
 * A stub is an inert object in place of a real one, so that a template runs without a cloud. The
 * fake provider stores it, so users can inject faults as for the test types.
 */
import type { JsonObject } from "#lib/json.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import {
  type Handler,
  namedAttributes,
  type ProviderCall,
  type ResourceSchema,
  type ResourceType,
} from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { member } from "#lib/template/json-shape.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { creationOf, missingObject, progressAfter, removeObject } from "./fake-provider-calls.ts";
import { outerAddress, type StubObject, stubAttributes } from "./stub-attributes.ts";

/** An environment that maps `OS::*` to `Hearth::Stub::OS::*` runs a whole stack with stubs. */
export const STUB_PREFIX = "Hearth::Stub::";

const REFERENCES: Readonly<Record<string, (object: StubObject) => string>> = {
  "OS::Nova::KeyPair": ({ name }) => name,
  "OS::Swift::Container": ({ name }) => name,
  "AWS::S3::Bucket": ({ name }) => name,
  "AWS::IAM::User": ({ name }) => name,
  "AWS::EC2::EIP": outerAddress,
};

const nameOf = (call: ProviderCall, id: string): string => {
  const given = member(call.properties, "name");
  return typeof given === "string" && given !== "" ? given : physicalName(call, id);
};

export const known = (
  { type, schema }: Pick<ResourceType, "type" | "schema">,
  call: ProviderCall,
  id: string,
  machine?: StubObject["machine"],
): { readonly attributes: JsonObject; readonly refId?: string } => {
  const object = { type, id, name: nameOf(call, id), properties: call.properties, machine };
  const refId = REFERENCES[type]?.(object);
  return {
    attributes: stubAttributes(object, namedAttributes(schema)),
    ...(refId === undefined ? {} : { refId }),
  };
};

const create =
  (type: ResourceType, provider: FakeProvider): Handler =>
  async (call, context) => {
    const answer = await provider.create(creationOf(call, type.type));
    const progress = progressAfter(call, context, answer, {});
    const id = progress.state === "finished" ? progress.physicalResourceId : null;
    return id ? { ...progress, ...known(type, call, id) } : progress;
  };

const update =
  (type: ResourceType, provider: FakeProvider): Handler =>
  async (call, context) => {
    const { token, tenant, physicalResourceId: physicalId, properties } = call;
    if (physicalId === null) return missingObject(physicalId);
    const answer = await provider.update({ token, tenant, physicalId, properties, waitMs: 0 });
    const progress = progressAfter(call, context, answer, {});
    return progress.state === "finished"
      ? { ...progress, ...known(type, call, physicalId) }
      : progress;
  };

/** A stub stores all its attributes, so none of them is computed when it is read. */
export const storedSchema = ({ attribute: _, currentAttribute: __, ...schema }: ResourceSchema) =>
  schema;

const stubOf = (type: ResourceType, provider: FakeProvider): ResourceType => ({
  type: type.type,
  schema: storedSchema(type.schema),
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create(type, provider),
    handleUpdate: update(type, provider),
    handleDelete: removeObject(provider),
    handleCheck: async () => ({ state: "finished" }),
    handleSuspend: async () => ({ state: "finished" }),
    handleResume: async () => ({ state: "finished" }),
    onlyLooks: true,
    checkComplete: async (call, handle, context) =>
      progressAfter(call, context, await provider.poll(handle), {}),
  },
  ...(type.snapshots ? { snapshots: { handleSnapshotDelete: removeObject(provider) } } : {}),
});

const waitsForOthers = ({ waiting, nesting, ordering }: ResourceType): boolean =>
  waiting !== undefined && nesting === undefined && ordering === undefined;

/** A type that needs nothing from outside is used itself instead of a stub. */
export const stubOrItself = (type: ResourceType, provider: FakeProvider): ResourceType =>
  type.withoutProvider !== undefined || waitsForOthers(type) ? stubOf(type, provider) : type;
