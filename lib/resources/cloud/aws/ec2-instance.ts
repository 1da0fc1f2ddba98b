import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { conflictOf, isSet } from "#lib/resources/cloud/refusals.ts";
import { blockDeviceMappings } from "./block-device-mappings.ts";

const mappingsSchema = z._default(z.array(z.object({ Ebs: z.optional(jsonObject) })), []);

const validate = (given: JsonObject): Refusal | null => {
  reads(given, "SecurityGroups", "SecurityGroupIds", "NetworkInterfaces");
  const hasGroups = isSet(given, "SecurityGroups") || isSet(given, "SecurityGroupIds");
  if (hasGroups && isSet(given, "NetworkInterfaces")) {
    return conflictOf("SecurityGroups/SecurityGroupIds", "NetworkInterfaces");
  }
  for (const { Ebs: ebs } of mappingsSchema.parse(given["BlockDeviceMappings"])) {
    const missing = ebs === undefined ? "Ebs" : "SnapshotId";
    if (ebs === undefined || !isSet(ebs, "SnapshotId")) {
      return `${missing} is missing, this is required when specifying BlockDeviceMappings.`;
    }
  }
  return reads(given, "SubnetId");
};

export const awsEc2Instance: DeclaredType = {
  type: "AWS::EC2::Instance",
  schema: {
    description: "A Nova server, described as in AWS.",
    properties: {
      ImageId: {
        type: "string",
        description: "The image that the server starts from, by ID or name.",
        required: true,
        constraints: [{ custom: "glance.image" }],
      },
      InstanceType: {
        type: "string",
        description: "The flavor of the server, by ID or name.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "nova.flavor" }],
      },
      KeyName: {
        type: "string",
        description: "The name of the key pair for logging in to the server.",
        constraints: [{ custom: "nova.keypair" }],
      },
      AvailabilityZone: {
        type: "string",
        description: "The availability zone that the server starts in.",
      },
      DisableApiTermination: {
        type: "string",
        description: "Whether the API refuses to delete the server. Not supported.",
        unimplemented: true,
      },
      KernelId: {
        type: "string",
        description: "The kernel that the server starts with. Not supported.",
        unimplemented: true,
      },
      Monitoring: {
        type: "boolean",
        description: "Whether the server is monitored in detail. Not supported.",
        unimplemented: true,
      },
      PlacementGroupName: {
        type: "string",
        description: "The placement group that the server starts in. Not supported.",
        unimplemented: true,
      },
      PrivateIpAddress: {
        type: "string",
        description: "The private IP address of the server. Not supported.",
        unimplemented: true,
      },
      RamDiskId: {
        type: "string",
        description: "The RAM disk that the server starts with. Not supported.",
        unimplemented: true,
      },
      SecurityGroups: {
        type: "list",
        description: "The names of the security groups of the server.",
      },
      SecurityGroupIds: {
        type: "list",
        description: "The IDs of the security groups of the server.",
      },
      NetworkInterfaces: {
        type: "list",
        description: "The network interfaces of the server.",
        updateAllowed: true,
      },
      SourceDestCheck: {
        type: "boolean",
        description: "Whether traffic from or to other addresses is dropped. Not supported.",
        unimplemented: true,
      },
      SubnetId: {
        type: "string",
        description: "The ID of the subnet that the server is connected to.",
        updateAllowed: true,
      },
      Tags: {
        type: "list",
        description: "Keys and values to store with the server.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            Key: { type: "string", required: true },
            Value: { type: "string", required: true },
          },
        },
      },
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
      Tenancy: {
        type: "string",
        description: "Whether the server has its host to itself. Not supported.",
        unimplemented: true,
        constraints: [{ allowedValues: ["dedicated", "default"] }],
      },
      UserData: {
        type: "string",
        description: "The script or data that the server reads when it first starts.",
      },
      Volumes: {
        type: "list",
        description: "The existing volumes that the server gets as further disks.",
        default: [],
        items: {
          type: "map",
          schema: {
            Device: {
              type: "string",
              description:
                "The device on the server. The server may choose another. A path under /dev/disk/by-id is safer to use.",
              required: true,
            },
            VolumeId: {
              type: "string",
              description: "The ID of the volume.",
              required: true,
              constraints: [{ custom: "cinder.volume" }],
            },
          },
        },
      },
      BlockDeviceMappings: blockDeviceMappings,
    },
    attributes: {
      AvailabilityZone: { description: "The availability zone of the server.", type: "string" },
      PrivateDnsName: {
        description: "The private DNS name of the server. The value is its IP address.",
        type: "string",
      },
      PublicDnsName: {
        description: "The public DNS name of the server. The value is its IP address.",
        type: "string",
      },
      PrivateIp: { description: "The private IP address of the server.", type: "string" },
      PublicIp: { description: "The public IP address of the server.", type: "string" },
    },
    validate,
  },
};
