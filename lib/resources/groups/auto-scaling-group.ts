import * as z from "zod/mini";
import { jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { ROLLING } from "./batches.ts";
import { readGiven, sizeProblem } from "./group-checks.ts";
import { autoScalingAttributes } from "./scaling-attributes.ts";
import { type ScalingKind, scalingGroup } from "./scaling-group.ts";

const autoScalingGroupSchema: ResourceSchema = {
  description: "A group of like members that grows and shrinks when a scaling policy says so.",
  support: { since: "2014.1" },
  templateName: "AutoScalingResourceGroup",
  properties: {
    resource: {
      type: "map",
      description: "The definition of a member, written as in a template.",
      required: true,
      updateAllowed: true,
    },
    max_size: {
      type: "integer",
      description: "The most members that the group may have.",
      required: true,
      updateAllowed: true,
      constraints: [{ range: { min: 0 } }],
    },
    min_size: {
      type: "integer",
      description: "The fewest members that the group may have.",
      required: true,
      updateAllowed: true,
      constraints: [{ range: { min: 0 } }],
    },
    cooldown: {
      type: "integer",
      description: "How long in seconds the group stays unchanged after it was scaled.",
      updateAllowed: true,
    },
    desired_capacity: {
      type: "integer",
      description: "How many members the group has at first.",
      updateAllowed: true,
    },
    rolling_updates: {
      type: "map",
      description: "How members are replaced in batches when their definition changes.",
      default: { min_in_service: 0, max_batch_size: 1, pause_time: 0 },
      updateAllowed: true,
      schema: ROLLING,
    },
  },
  attributes: "any",
  commonAttributes: {
    outputs: {
      description: "A given attribute of every member, by the names of the members.",
      type: "map",
      support: { since: "2014.2" },
    },
    outputs_list: {
      description: "A given attribute of every member, as a list.",
      type: "list",
      support: { since: "2014.2" },
    },
    current_size: {
      description: "How many members the group has.",
      type: "integer",
      support: { since: "2015.1" },
    },
    refs: { description: "The IDs of the members.", type: "list", support: { since: "7.0.0" } },
    refs_map: {
      description: "The IDs of the members, by their names.",
      type: "map",
      support: { since: "7.0.0" },
    },
  },
  validateFirst: (read) =>
    sizeProblem(read, { min: "min_size", max: "max_size", desired: "desired_capacity" }),
};

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
