import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { AttributeSchema, ResourceSchema } from "#lib/ports/resource-type.ts";
import {
  configurationProblem,
  pauseProblem,
  serverSourceProblem,
  sizeProblem,
} from "./group-checks.ts";

export const availabilityZones: PropertySchema = {
  type: "list",
  description: "The availability zones of the group. It has no effect.",
  required: true,
};

export const launchConfigurationName: PropertySchema = {
  type: "string",
  description: "The launch configuration that says what the servers are like.",
  updateAllowed: true,
};

export const INSTANCE_ATTRIBUTES: Readonly<Record<string, AttributeSchema>> = {
  InstanceList: {
    description: "The IP addresses of the servers, separated by commas.",
    type: "string",
  },
};

export const rollingPolicy = (name: string): PropertySchemas => ({
  [name]: {
    type: "map",
    schema: {
      MinInstancesInService: { type: "integer", default: 0 },
      MaxBatchSize: { type: "integer", default: 1 },
      PauseTime: { type: "string", default: "PT0S" },
    },
  },
});

export const awsAutoScalingGroupSchema: ResourceSchema = {
  description: "A group of like servers that grows and shrinks when a scaling policy says so.",
  support: { since: "2014.1" },
  properties: {
    AvailabilityZones: availabilityZones,
    LaunchConfigurationName: launchConfigurationName,
    InstanceId: {
      type: "string",
      description: "The ID of a server to copy. It takes the place of a launch configuration.",
      constraints: [{ custom: "nova.server" }],
    },
    MaxSize: {
      type: "integer",
      description: "The most servers that the group may have.",
      required: true,
      updateAllowed: true,
    },
    MinSize: {
      type: "integer",
      description: "The fewest servers that the group may have.",
      required: true,
      updateAllowed: true,
    },
    Cooldown: {
      type: "integer",
      description: "How long in seconds the group stays unchanged after it was scaled.",
      updateAllowed: true,
    },
    DesiredCapacity: {
      type: "integer",
      description: "How many servers the group has at first.",
      updateAllowed: true,
    },
    HealthCheckGracePeriod: {
      type: "integer",
      description: "How long in seconds a new server goes without health checks. Not supported.",
      unimplemented: true,
    },
    HealthCheckType: {
      type: "string",
      description:
        "Who checks the health of the servers: Nova or the load balancer. Not supported.",
      unimplemented: true,
      constraints: [{ allowedValues: ["EC2", "ELB"] }],
    },
    LoadBalancerNames: {
      type: "list",
      description: "The load balancers that spread their traffic over the servers.",
    },
    VPCZoneIdentifier: {
      type: "list",
      description:
        "The subnet of the servers, as a list of one. Needed where there are several subnets.",
      items: { type: "string", description: "The ID of the subnet." },
    },
    Tags: {
      type: "list",
      description: "Keys and values to store with the servers of the group.",
      items: {
        type: "map",
        schema: {
          Key: { type: "string", required: true },
          Value: { type: "string", required: true },
        },
      },
    },
  },
  attributes: INSTANCE_ATTRIBUTES,
  updatePolicy: rollingPolicy("AutoScalingRollingUpdate"),
  validateFirst: (read, definition) =>
    sizeProblem(read, { min: "MinSize", max: "MaxSize", desired: "DesiredCapacity" }) ??
    serverSourceProblem(read) ??
    configurationProblem(read, definition),
  validate: pauseProblem("AutoScalingRollingUpdate"),
};
