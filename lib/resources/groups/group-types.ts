import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { autoScalingGroup } from "./auto-scaling-group.ts";
import { barrier } from "./barrier.ts";
import { awsAutoScalingGroup, instanceGroup } from "./instance-groups.ts";
import { launchConfiguration } from "./launch-configuration.ts";
import { resourceChain } from "./resource-chain.ts";
import { resourceGroup } from "./resource-group.ts";
import { awsScalingPolicy, heatScalingPolicy } from "./scaling-policies.ts";

export const groupTypes = (engine: Ports): readonly ResourceType[] => [
  barrier(engine),
  resourceGroup(engine),
  resourceChain(engine),
  autoScalingGroup(engine),
  instanceGroup(engine),
  awsAutoScalingGroup(engine),
  launchConfiguration,
  heatScalingPolicy(engine),
  awsScalingPolicy(engine),
];
