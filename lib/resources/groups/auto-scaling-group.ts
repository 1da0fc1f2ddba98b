import * as z from "zod/mini";
import { jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { autoScalingGroupSchema } from "./auto-scaling-group-schema.ts";
import { readGiven } from "./read-given.ts";
import { autoScalingAttributes } from "./scaling-attributes.ts";
import { type ScalingKind, scalingGroup } from "./scaling-group.ts";

const givenSchema = z.object({
  resource: jsonObject,
  min_size: plainNumber,
  max_size: plainNumber,
  cooldown: z.nullish(plainNumber),
  desired_capacity: z.nullish(plainNumber),
});

const rollingSchema = z.object({
  rolling_updates: z.object({
    min_in_service: plainNumber,
    max_batch_size: plainNumber,
    pause_time: plainNumber,
  }),
});

const definitionIn = (properties: unknown) => ({
  body: readGiven(givenSchema, properties).resource,
  indexVar: null,
});

const kind: ScalingKind = {
  kind: "scaling group",
  read: (properties) => {
    const given = readGiven(givenSchema, properties);
    return {
      bounds: { minimum: given.min_size, maximum: given.max_size },
      desired: given.desired_capacity ?? null,
      cooldownSeconds: given.cooldown ?? 0,
    };
  },
  readLater: ["cooldown"],
  knownDefinition: definitionIn,
  definition: async (_engine, { properties }) => definitionIn(properties),
  policy: (properties) => {
    const { rolling_updates: given } = readGiven(rollingSchema, properties);
    return {
      minInService: given.min_in_service,
      maxBatchSize: given.max_batch_size,
      pauseSeconds: given.pause_time,
    };
  },
  attributes: autoScalingAttributes,
};

export const autoScalingGroup = (engine: Ports): ResourceType => ({
  ...scalingGroup(engine, kind),
  type: "OS::Heat::AutoScalingGroup",
  schema: autoScalingGroupSchema,
});

export const boundsOfAutoScalingGroup = kind.read;
