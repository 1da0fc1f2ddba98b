import type { PropertySchemas } from "#lib/model/property-schema.ts";

const size = (done: string): PropertySchemas[string] => ({
  type: "integer",
  description: `The most members to ${done} in one batch.`,
  default: 1,
  constraints: [{ range: { min: 1 } }],
});

const pause: PropertySchemas[string] = {
  type: "number",
  description: "The pause between two batches, in seconds.",
  default: 0,
  constraints: [{ range: { min: 0 } }],
};

export const ROLLING: PropertySchemas = {
  min_in_service: {
    type: "integer",
    description: "The fewest members to keep in service while a batch is replaced.",
    default: 0,
    constraints: [{ range: { min: 0 } }],
  },
  max_batch_size: size("replace"),
  pause_time: pause,
};

export const CREATING: PropertySchemas = { max_batch_size: size("create"), pause_time: pause };
