import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { scalingPolicyProblem } from "./scaling-policy-checks.ts";

export const heatScalingPolicySchema: ResourceSchema = {
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
