import * as z from "zod/mini";
import { propertyValueDependency } from "#lib/errors.ts";
import { ADJUSTMENT_TYPES, type AdjustmentType } from "#lib/groups/capacity.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Handler,
  ProviderCall,
  ResourceSchema,
  ResourceType,
  Signals,
} from "#lib/ports/resource-type.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { isGiven, reads } from "../given-values.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { deleteUrl, handleUrl, makeHandle, recordSignal } from "../wait/signal-handle.ts";
import { boundsOfAutoScalingGroup } from "./auto-scaling-group.ts";
import { readGiven } from "./group-checks.ts";
import { boundsOfAwsGroup } from "./instance-groups.ts";
import { type ScalableType, type Scaling, scaleGroup } from "./scale-group.ts";

interface PolicyWords {
  readonly step: string;
  readonly type: string;
  readonly percent: string;
}

const scalingPolicyProblem =
  ({ step, type, percent }: PolicyWords) =>
  (given: JsonObject): Problem =>
    reads(given, type) ??
    (isGiven(given, step) && member(given, type) !== percent
      ? propertyValueDependency(step, type, percent)
      : null);

const heatScalingPolicySchema: ResourceSchema = {
  description:
    "A rule for scaling an OS::Heat::AutoScalingGroup. Each signal to it applies the rule once.",
  templateName: "AutoScalingPolicy",
  properties: {
    auto_scaling_group_id: {
      type: "string",
      description: "The autoscaling group to scale.",
      required: true,
    },
    scaling_adjustment: {
      type: "number",
      description: "How far to scale: a size, a difference in members or a percentage.",
      required: true,
      updateAllowed: true,
    },
    adjustment_type: {
      type: "string",
      description: "What the adjustment means: a difference, a size or a percentage.",
      required: true,
      updateAllowed: true,
      constraints: [
        { allowedValues: ["change_in_capacity", "exact_capacity", "percent_change_in_capacity"] },
      ],
    },
    cooldown: {
      type: "number",
      description: "How long in seconds the policy ignores signals after it scaled the group.",
      updateAllowed: true,
    },
    min_adjustment_step: {
      type: "integer",
      description: "The fewest members to add or remove. For percent_change_in_capacity only.",
      updateAllowed: true,
      constraints: [{ range: { min: 0 } }],
    },
  },
  attributes: {
    alarm_url: {
      description: "The signed URL that an alarm calls to scale the group.",
      type: "string",
    },
    signal_url: {
      description: "The URL in the orchestration API that scales the group. It needs a token.",
      type: "string",
      support: { since: "5.0.0" },
    },
  },
  validate: scalingPolicyProblem({
    step: "min_adjustment_step",
    type: "adjustment_type",
    percent: "percent_change_in_capacity",
  }),
};

const awsScalingPolicySchema: ResourceSchema = {
  description:
    "A rule for scaling an autoscaling group of servers. Each signal to it applies the rule once.",
  templateName: "AWSScalingPolicy",
  properties: {
    AutoScalingGroupName: {
      type: "string",
      description: "The autoscaling group to scale.",
      required: true,
    },
    ScalingAdjustment: {
      type: "integer",
      description: "How far to scale: a size, a difference in members or a percentage.",
      required: true,
      updateAllowed: true,
    },
    AdjustmentType: {
      type: "string",
      description: "What the adjustment means: a difference, a size or a percentage.",
      required: true,
      updateAllowed: true,
      constraints: [
        { allowedValues: ["ChangeInCapacity", "ExactCapacity", "PercentChangeInCapacity"] },
      ],
    },
    Cooldown: {
      type: "integer",
      description: "How long in seconds the policy ignores signals after it scaled the group.",
      updateAllowed: true,
    },
    MinAdjustmentStep: {
      type: "integer",
      description: "The fewest members to add or remove. For PercentChangeInCapacity only.",
      updateAllowed: true,
      constraints: [{ range: { min: 0 } }],
    },
  },
  attributes: {
    AlarmUrl: {
      description: "The signed URL that an alarm calls to scale the group.",
      type: "string",
    },
  },
  validate: scalingPolicyProblem({
    step: "MinAdjustmentStep",
    type: "AdjustmentType",
    percent: "PercentChangeInCapacity",
  }),
};

const adjustmentType = z.custom<AdjustmentType>(
  (value) => typeof value === "string" && Object.hasOwn(ADJUSTMENT_TYPES, value),
);

const heatWords = z.object({
  auto_scaling_group_id: z.string(),
  adjustment_type: adjustmentType,
  scaling_adjustment: plainNumber,
  min_adjustment_step: z.nullish(plainNumber),
  cooldown: z.nullish(plainNumber),
});

const awsWords = z.object({
  AutoScalingGroupName: z.string(),
  AdjustmentType: adjustmentType,
  ScalingAdjustment: plainNumber,
  MinAdjustmentStep: z.nullish(plainNumber),
  Cooldown: z.nullish(plainNumber),
});

const heatScaling = (properties: JsonObject): Scaling => {
  const given = readGiven(heatWords, properties);
  return {
    groupName: given.auto_scaling_group_id,
    adjustment: {
      type: given.adjustment_type,
      adjustment: given.scaling_adjustment,
      minStep: given.min_adjustment_step ?? null,
    },
    cooldownSeconds: given.cooldown ?? null,
  };
};

const awsScaling = (properties: JsonObject): Scaling => {
  const given = readGiven(awsWords, properties);
  return {
    groupName: given.AutoScalingGroupName,
    adjustment: {
      type: given.AdjustmentType,
      adjustment: given.ScalingAdjustment,
      minStep: given.MinAdjustmentStep ?? null,
    },
    cooldownSeconds: given.Cooldown ?? null,
  };
};

const scalable: ScalableType = (type, properties) => {
  if (type === "OS::Heat::AutoScalingGroup") return boundsOfAutoScalingGroup(properties);
  return type === "AWS::AutoScaling::AutoScalingGroup" ? boundsOfAwsGroup(properties) : null;
};

const reasonOf = (details: Json): string => {
  if (details === null) return "No signal details provided";
  if (typeof details === "string") return details;
  if (!isJsonObject(details)) return "Unknown";
  const text = (key: string): string => pythonText(member(details, key) ?? null);
  const has = (key: string): boolean => member(details, key) !== undefined;
  if (has("previous") && has("current") && has("reason")) {
    return `alarm state changed from ${text("previous")} to ${text("current")} (${text("reason")})`;
  }
  return has("state") ? `alarm state changed to ${text("state")}` : "Unknown";
};

/** As in Heat, the sender never learns whether the group was scaled (P22). */
const signalWith =
  (engine: Ports, scalingOf: (properties: JsonObject) => Scaling): Signals["handleSignal"] =>
  async (row, details) => {
    if (row.properties === null) return null;
    const scaling = scalingOf(await openProperties(engine, row, row.properties));
    const scaled = await scaleGroup(engine, row, scaling, scalable);
    if (scaled === null) return null;
    const { from, to } = scaled;
    await recordSignal(engine, row, reasonOf(details), `, size ${from} to ${to}`);
    return null;
  };

/** The address of the API requires credentials, unlike the signed URL. */
const nativeUrl = ({ publicUrl }: Ports, call: ProviderCall): string =>
  `${publicUrl}/v1/${call.tenant}/stacks/${call.stackName}/${call.stackId}/resources/${call.resourceName}/signal`;

type Made = (url: string, call: ProviderCall) => { attributes: JsonObject; refId?: string };

const policyType = (
  engine: Ports,
  made: Made,
  scalingOf: (properties: JsonObject) => Scaling,
): Omit<ResourceType, "type" | "schema"> => {
  const create: Handler = async (call) => {
    const id = await makeHandle(engine, call);
    const url = handleUrl(engine, call, id);
    return { state: "finished", physicalResourceId: id, ...made(url, call) };
  };
  return {
    lifecycle: {
      ...OWN_LIFECYCLE,
      handleCreate: create,
      handleDelete: deleteUrl(engine),
    },
    // The URL of the former policy would signal a stack that no longer exists, so a new one is
    // made.
    adoption: { handleAdopt: create },
    signals: { handleSignal: signalWith(engine, scalingOf) },
  };
};

export const heatScalingPolicy = (engine: Ports): ResourceType => ({
  ...policyType(
    engine,
    (url, call) => ({ attributes: { alarm_url: url, signal_url: nativeUrl(engine, call) } }),
    heatScaling,
  ),
  type: "OS::Heat::ScalingPolicy",
  schema: heatScalingPolicySchema,
});

export const awsScalingPolicy = (engine: Ports): ResourceType => ({
  ...policyType(engine, (url) => ({ attributes: { AlarmUrl: url }, refId: url }), awsScaling),
  type: "AWS::AutoScaling::ScalingPolicy",
  schema: awsScalingPolicySchema,
});
