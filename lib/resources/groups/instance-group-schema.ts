/** What templates and clients see of OS::Heat::InstanceGroup. */
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { configurationProblem, pauseProblem } from "./group-checks.ts";
import {
  availabilityZones,
  INSTANCE_ATTRIBUTES,
  launchConfigurationName,
  rollingPolicy,
} from "./instance-group-properties.ts";

export const instanceGroupSchema: ResourceSchema = {
  description: "A fixed number of like servers that share a launch configuration.",
  properties: {
    AvailabilityZones: availabilityZones,
    LaunchConfigurationName: { ...launchConfigurationName, required: true },
    Size: {
      type: "integer",
      description: "How many servers the group has.",
      required: true,
      updateAllowed: true,
    },
    LoadBalancerNames: {
      type: "list",
      description:
        "The load balancers that spread their traffic over the servers. Each is an AWS::ElasticLoadBalancing::LoadBalancer.",
    },
    Tags: {
      type: "list",
      description: "Keys and values to store with the servers of the group.",
      items: {
        type: "map",
        schema: {
          Key: { type: "string", description: "The key of the tag.", required: true },
          Value: { type: "string", description: "The value of the tag.", required: true },
        },
      },
    },
  },
  attributes: INSTANCE_ATTRIBUTES,
  updatePolicy: rollingPolicy("RollingUpdate"),
  validateFirst: configurationProblem,
  validate: pauseProblem("RollingUpdate"),
};
