import * as z from "zod/mini";
import { ADJUSTMENT_TYPES, type AdjustmentType } from "#lib/groups/capacity.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall, ResourceType, Signals } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { recordSignal } from "#lib/resources/signal-event.ts";
import { deleteUrl, handleUrl, makeHandle } from "#lib/resources/wait/handle-object.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { boundsOfAutoScalingGroup } from "./auto-scaling-group.ts";
import { awsScalingPolicySchema } from "./aws-scaling-policy-schema.ts";
import { heatScalingPolicySchema } from "./heat-scaling-policy-schema.ts";
import { boundsOfAwsGroup } from "./instance-groups.ts";
import { readGiven } from "./read-given.ts";
import { type ScalableType, type Scaling, scaleGroup } from "./scale-group.ts";

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
