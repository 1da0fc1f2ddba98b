/** What templates and clients see of OS::Heat::InstanceGroup. */
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { configurationProblem, pauseProblem } from "./group-checks.ts";

export const instanceGroupSchema: ResourceSchema = {
  description: "A fixed number of like servers that share a launch configuration.",
  properties: {
    AvailabilityZones: {
      type: "list",
      description: "The availability zones of the group. It has no effect.",
      required: true,
    },
    LaunchConfigurationName: {
      type: "string",
      description: "The launch configuration that says what the servers are like.",
      required: true,
      updateAllowed: true,
    },
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
  attributes: {
    InstanceList: {
      description: "The IP addresses of the servers, separated by commas.",
      type: "string",
    },
  },
  updatePolicy: {
    RollingUpdate: {
      type: "map",
      schema: {
        MinInstancesInService: { type: "integer", default: 0 },
        MaxBatchSize: { type: "integer", default: 1 },
        PauseTime: { type: "string", default: "PT0S" },
      },
    },
  },
  validateFirst: configurationProblem,
  validate: pauseProblem("RollingUpdate"),
};
