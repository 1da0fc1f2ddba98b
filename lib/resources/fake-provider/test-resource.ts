import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { creationOf, missingObject, progressAfter, removeObject } from "./fake-provider-calls.ts";

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
    description: "The text that the attribute `output` gives.",
    default: "test_string",
    updateAllowed: true,
  },
  update_replace_value: { type: "string", description: "Change it to replace the resource." },
  update_replace: flag("Set it to true in an update to replace the resource."),
  fail: flag("Whether creating and updating fail, after their wait."),
  wait_secs: seconds("How long each operation takes. -1: without an end."),
  action_wait_secs: {
    type: "map",
    description: "How long operations of one kind take instead of wait_secs.",
    updateAllowed: true,
    schema: {
      create: number("How long creating takes."),
      update: number("How long updating takes."),
      delete: number("How long deleting takes."),
    },
  },
  client_name: { ...ignored, description: "Accepted for Heat's templates. It has no effect here." },
  entity_name: { ...ignored, description: "Accepted for Heat's templates. It has no effect here." },
  constraint_prop_secs: {
    ...seconds("Accepted for Heat's templates. It has no effect here."),
    constraints: [{ custom: "test_constr" }],
  },
  attr_wait_secs: seconds("Accepted for Heat's templates. It has no effect here."),
};

const waits = z.optional(z.nullable(plainNumber));
const propertiesSchema = z.object({
  value: z._default(z.string(), ""),
  fail: z._default(z.boolean(), false),
  wait_secs: z._default(plainNumber, 0),
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

/** The fake provider only waits; a requested failure is produced here after the wait. */
const orFailure = (call: ProviderCall, given: TestProperties, progress: Progress): Progress =>
  given.fail && call.action !== "DELETE" && progress.state === "finished"
    ? failure(call, progress.physicalResourceId ?? null)
    : progress;

const create =
  (provider: FakeProvider): Handler =>
  async (call, context) => {
    const given = propertiesSchema.parse(call.properties);
    const waitMs = waitMsOf(given, "create");
    if (given.fail && waitMs === 0) return failure(call, null);
    const answer = await provider.create(creationOf(call, TYPE, waitMs));
    return orFailure(call, given, progressAfter(call, context, answer, attributesOf(given)));
  };

/**
 * As in Heat, only a change of `value` waits. An update that must fail does not change the object.
 */
const update =
  (provider: FakeProvider): Handler =>
  async (call, context) => {
    const { token, tenant, physicalResourceId: physicalId, previousProperties } = call;
    const given = propertiesSchema.parse(call.properties);
    const isChanged = previousProperties?.["value"] !== given.value;
    const waitMs = isChanged ? waitMsOf(given, "update") : 0;
    if (given.fail && waitMs === 0) return failure(call, physicalId);
    if (physicalId === null) return missingObject(physicalId);
    const target = given.fail ? (previousProperties ?? {}) : call.properties;
    const request = { token, tenant, physicalId, properties: target, waitMs };
    const answer = await provider.update(request);
    return orFailure(call, given, progressAfter(call, context, answer, attributesOf(given)));
  };

export const testResource = (provider: FakeProvider): ResourceType => ({
  type: TYPE,
  schema: {
    description: "Stores a string. It waits, fails and is replaced on request, for testing.",
    support: { since: "5.0.0" },
    properties,
    attributes: { output: { description: "The stored string." } },
    mustReplace: (_before, after, changed) =>
      changed.includes("update_replace") && after["update_replace"] === true,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create(provider),
    handleUpdate: update(provider),
    handleDelete: removeObject(provider, (given) =>
      waitMsOf(propertiesSchema.parse(given), "delete"),
    ),
    handleCheck: async () => ({ state: "finished" }),
    onlyLooks: true,
    checkComplete: async (call, handle, context) => {
      const given = propertiesSchema.parse(call.properties);
      const answer = await provider.poll(handle);
      return orFailure(call, given, progressAfter(call, context, answer, attributesOf(given)));
    },
  },
});
