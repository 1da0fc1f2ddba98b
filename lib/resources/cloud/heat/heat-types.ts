import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { heatAccessPolicy } from "./access-policy.ts";
import { heatAutoScalingGroup } from "./auto-scaling-group.ts";
import { heatDelay } from "./delay.ts";
import { heatInstanceGroup } from "./instance-group.ts";
import { heatResourceChain } from "./resource-chain.ts";
import { heatResourceGroup } from "./resource-group.ts";
import { heatScalingPolicy } from "./scaling-policy.ts";
import { heatSwiftSignal } from "./swift-signal.ts";
import { heatSwiftSignalHandle } from "./swift-signal-handle.ts";

export const HEAT_TYPES: readonly DeclaredType[] = [
  heatAccessPolicy,
  heatAutoScalingGroup,
  heatDelay,
  heatInstanceGroup,
  heatResourceChain,
  heatResourceGroup,
  heatScalingPolicy,
  heatSwiftSignal,
  heatSwiftSignalHandle,
];
