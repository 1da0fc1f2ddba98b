import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { AttributeSchema } from "#lib/ports/resource-type.ts";

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
