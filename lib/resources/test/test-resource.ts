import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { cloudProgress, missingObject } from "./fake-provider-calls.ts";

const TYPE = "OS::Heat::TestResource";
/** Heat's -1: longer than any operation may take. */
const ENDLESS_MS = 365 * 24 * 3_600_000;

const number = (description: string): PropertySchema => ({
  type: "number",
  description,
  updateAllowed: true,
});
const seconds = (description: string): PropertySchema => ({ ...number(description), default: 0 });
const flag = (description: string): PropertySchema => ({
  type: "boolean",
  description,
  default: false,
  updateAllowed: true,
});
const ignored = { type: "string", default: "", updateAllowed: true } as const;

const properties: PropertySchemas = {
  value: {
    type: "string",
    description: "What the attribute `output` is to be.",
    default: "test_string",
    updateAllowed: true,
  },
  update_replace_value: { type: "string", description: "A change of it replaces the resource." },
  update_replace: flag("Set to true by an update, it replaces the resource."),
  fail: flag("Whether creating and updating fail, after their wait."),
  wait_secs: seconds("How long each operation takes; -1 is for ever."),
  action_wait_secs: {
    type: "map",
    description: "How long one kind of operation takes, where it differs from wait_secs.",
    updateAllowed: true,
    schema: {
      create: number("How long creating takes."),
      update: number("How long updating takes."),
      delete: number("How long deleting takes."),
    },
  },
  client_name: { ...ignored, description: "Accepted for Heat's templates; without effect here." },
  entity_name: { ...ignored, description: "Accepted for Heat's templates; without effect here." },
  constraint_prop_secs: seconds("Accepted for Heat's templates; without effect here."),
  attr_wait_secs: seconds("Accepted for Heat's templates; without effect here."),
};

const waits = z.optional(z.nullable(z.number()));
const propertiesSchema = z.object({
  value: z._default(z.string(), ""),
  fail: z._default(z.boolean(), false),
  wait_secs: z._default(z.number(), 0),
  action_wait_secs: z._default(z.object({ create: waits, update: waits, delete: waits }), {}),
});
type TestProperties = z.infer<typeof propertiesSchema>;

const waitMsOf = (given: TestProperties, action: "create" | "update" | "delete"): number => {
  const secs = given.action_wait_secs[action] ?? given.wait_secs;
  return secs < 0 ? ENDLESS_MS : secs * 1_000;
};

const failure = (call: ProviderCall, physicalResourceId: string | null): Progress => ({
  state: "failed",
  reason: `Test Resource failed ${call.resourceName}`,
  errorType: "ValueError",
  ...(physicalResourceId === null ? {} : { physicalResourceId }),
});

const attributesOf = (given: TestProperties): JsonObject => ({ output: given.value });

/** Where the resource is to fail, what the cloud has done was only to wait. */
const orFailure = (call: ProviderCall, given: TestProperties, progress: Progress): Progress =>
  given.fail && call.action !== "DELETE" && progress.state === "finished"
    ? failure(call, progress.physicalResourceId ?? null)
    : progress;

const handleCreate: Handler = async (call, ports) => {
  const given = propertiesSchema.parse(call.properties);
  const waitMs = waitMsOf(given, "create");
  if (given.fail && waitMs === 0) return failure(call, null);
  const { token, stackName, resourceName: logicalName } = call;
  const object = { stackName, logicalName, type: TYPE, properties: call.properties };
  const answer = await ports.fakeProvider.create({ token, ...object, waitMs });
  return orFailure(call, given, cloudProgress(call, ports, answer, attributesOf(given)));
};

/** Heat waits only where `value` changed. An update that is to fail changes nothing of the object. */
const handleUpdate: Handler = async (call, ports) => {
  const { token, physicalResourceId: physicalId, previousProperties } = call;
  const given = propertiesSchema.parse(call.properties);
  const isNews = previousProperties?.["value"] !== given.value;
  const waitMs = isNews ? waitMsOf(given, "update") : 0;
  if (given.fail && waitMs === 0) return failure(call, physicalId);
  if (physicalId === null) return missingObject(physicalId);
  const target = given.fail ? (previousProperties ?? {}) : call.properties;
  const answer = await ports.fakeProvider.update({ token, physicalId, properties: target, waitMs });
  return orFailure(call, given, cloudProgress(call, ports, answer, attributesOf(given)));
};

const handleDelete: Handler = async (call, ports) => {
  const { token, physicalResourceId: physicalId } = call;
  if (physicalId === null) return { state: "finished", physicalResourceId: null };
  const waitMs = waitMsOf(propertiesSchema.parse(call.properties), "delete");
  const answer = await ports.fakeProvider.delete({ token, physicalId, waitMs });
  return cloudProgress(call, ports, answer, {});
};

/** OS::Heat::TestResource: an object of the fake provider that takes its time, fails or is replaced as its properties say. */
export const testResource: ResourceType = {
  ...OWN_TYPE,
  type: TYPE,
  description: "Stores a string; waits, fails and is replaced on request, for testing.",
  properties,
  attributes: { output: { description: "The string that was stored." } },
  mustReplace: (_before, after, changed) =>
    changed.includes("update_replace") && after["update_replace"] === true,
  handleCreate,
  handleUpdate,
  handleDelete,
  handleCheck: async () => ({ state: "finished" }),
  checkComplete: async (call, handle, ports) => {
    const given = propertiesSchema.parse(call.properties);
    const answer = await ports.fakeProvider.poll(handle);
    return orFailure(call, given, cloudProgress(call, ports, answer, attributesOf(given)));
  },
};
