import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { blockDeviceMappings } from "#lib/resources/cloud/checks/block-device-mappings.ts";
import { isSet, reads } from "#lib/resources/cloud/given-values.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";

const mappingProblem = (mapping: Json): string | null => {
  const volume = isJsonObject(mapping) ? (member(mapping, "Ebs") ?? null) : null;
  if (!isJsonObject(volume) || isEmpty(volume)) {
    return "Ebs is missing, this is required when specifying BlockDeviceMappings.";
  }
  return isSet(volume, "SnapshotId")
    ? null
    : "SnapshotId is missing, this is required when specifying BlockDeviceMappings.";
};

const launchConfigurationProblem = (given: JsonObject): Problem => {
  const mappings = member(given, "BlockDeviceMappings") ?? null;
  const wrong = isJsonArray(mappings)
    ? mappings.map(mappingProblem).find((problem) => problem !== null)
    : undefined;
  if (wrong !== undefined) return wrong;
  if (isSet(given, "InstanceId")) return null;
  reads(given, "ImageId", "InstanceType");
  return isSet(given, "ImageId") && isSet(given, "InstanceType")
    ? null
    : "If without InstanceId, ImageId and InstanceType are required.";
};

export const launchConfigurationSchema: ResourceSchema = {
  description: "The settings of the servers that an autoscaling group starts.",
  properties: {
    ImageId: {
      type: "string",
      description: "The image that the server starts from, by ID or name.",
      constraints: [{ custom: "glance.image" }],
    },
    InstanceType: {
      type: "string",
      description: "The flavor of the server, by ID or name.",
      constraints: [{ custom: "nova.flavor" }],
    },
    InstanceId: {
      type: "string",
      description: "The ID of a server to copy the settings from, except for BlockDeviceMappings.",
      constraints: [{ custom: "nova.server" }],
    },
    KeyName: {
      type: "string",
      description: "The name of the key pair for logging in to the server.",
      constraints: [{ custom: "nova.keypair" }],
    },
    UserData: {
      type: "string",
      description: "The script or data that the server reads when it first starts.",
    },
    SecurityGroups: {
      type: "list",
      description: "The names of the security groups of the server.",
    },
    KernelId: {
      type: "string",
      description: "The kernel that the server starts with. Not supported.",
      unimplemented: true,
    },
    RamDiskId: {
      type: "string",
      description: "The RAM disk that the server starts with. Not supported.",
      unimplemented: true,
    },
    BlockDeviceMappings: blockDeviceMappings,
    NovaSchedulerHints: {
      type: "list",
      description: "Hints for the Nova scheduler, as keys and values.",
      items: {
        type: "map",
        schema: {
          Key: { type: "string", required: true },
          Value: { type: "string", required: true },
        },
      },
    },
  },
  attributes: {},
  validate: launchConfigurationProblem,
};
