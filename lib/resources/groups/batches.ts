/**
 * Rolling changes of a deployment group: a few members at a time. Heat updates the nested stack
 * once per batch. Here one update contains all batches: the members of a batch depend on a barrier,
 * which depends on the batch before (docs/adr/0011).
 */
import * as z from "zod/mini";
import { BARRIER_TYPE, barrierName } from "#lib/groups/barriers.ts";
import { type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { sectionOf } from "#lib/template/json-shape.ts";

const size = (description: string): PropertySchema => ({
  type: "integer",
  description,
  default: 1,
  constraints: [{ range: { min: 1 } }],
});

const pause = (description: string): PropertySchema => ({
  type: "number",
  description,
  default: 0,
  constraints: [{ range: { min: 0 } }],
});

const batches = (sizeText: string, pauseText: string): PropertySchema => ({
  type: "map",
  description: "How many members at a time, and how long to wait between two batches.",
  schema: { max_batch_size: size(sizeText), pause_time: pause(pauseText) },
});

export const BATCH_POLICIES: PropertySchemas = {
  rolling_update: batches(
    "How many deployments an update may change at once.",
    "How many seconds an update waits between two batches.",
  ),
  batch_create: batches(
    "How many deployments a create may make at once.",
    "How many seconds a create waits between two batches.",
  ),
};

const batchPolicy = z.object({ max_batch_size: plainNumber, pause_time: plainNumber });
type BatchPolicy = z.infer<typeof batchPolicy>;

/** @returns null when all members change at once. */
export const policyFor = (policies: JsonObject, action: string): BatchPolicy | null => {
  if (action === "ADOPT") return null;
  const policy = policies[action === "CREATE" ? "batch_create" : "rolling_update"];
  return policy === undefined ? null : batchPolicy.parse(policy);
};

/** `turn` identifies the operation. It changes the barriers, so that each operation waits anew. */
export const withBarriers = (
  template: JsonObject,
  ordered: readonly (readonly string[])[],
  { pause_time }: BatchPolicy,
  turn: string,
): JsonObject => {
  const members = sectionOf(template, "resources");
  const resources = new Map(Object.entries(members));
  const isMember = (name: string): boolean => Object.hasOwn(members, name);
  const properties = pause_time === 0 ? {} : { pause_time, turn };
  ordered.slice(1).forEach((batch, at) => {
    const barrier = barrierName(at + 1, isMember);
    resources.set(barrier, { type: BARRIER_TYPE, properties, depends_on: ordered[at] ?? [] });
    for (const name of batch) {
      resources.set(name, mergedMaps(sectionOf(members, name), { depends_on: [barrier] }));
    }
  });
  return mergedMaps(template, { resources: mapOf(resources) });
};

const PAUSE = pause("The pause between two batches, in seconds.");

export const ROLLING: PropertySchemas = {
  min_in_service: {
    type: "integer",
    description: "The fewest members to keep in service while a batch is replaced.",
    default: 0,
    constraints: [{ range: { min: 0 } }],
  },
  max_batch_size: size("The most members to replace in one batch."),
  pause_time: PAUSE,
};

export const CREATING: PropertySchemas = {
  max_batch_size: size("The most members to create in one batch."),
  pause_time: PAUSE,
};
