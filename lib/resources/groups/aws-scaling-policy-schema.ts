import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { scalingPolicyProblem } from "./scaling-policy-checks.ts";

export const awsScalingPolicySchema: ResourceSchema = {
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
