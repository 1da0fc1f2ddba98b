import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { heatAutoScalingGroup } from "./auto-scaling-group.ts";
import { heatInstanceGroup } from "./instance-group.ts";
import { heatScalingPolicy } from "./scaling-policy.ts";

export const HEAT_TYPES: readonly DeclaredType[] = [
  heatAutoScalingGroup,
  heatInstanceGroup,
  heatScalingPolicy,
];
