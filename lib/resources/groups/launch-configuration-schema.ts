/** What templates and clients see of AWS::AutoScaling::LaunchConfiguration. */
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { launchConfigurationProblem } from "./launch-configuration-checks.ts";

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
    BlockDeviceMappings: {
      type: "list",
      description: "The volumes that the server gets as its disks.",
      items: {
        type: "map",
        schema: {
          DeviceName: {
            type: "string",
            description: "The name of the disk on the server, such as vdb.",
            required: true,
          },
          Ebs: {
            type: "map",
            description: "The volume to make from a snapshot.",
            schema: {
              DeleteOnTermination: {
                type: "boolean",
                description: "Whether the volume is deleted together with the server.",
                default: true,
              },
              Iops: {
                type: "number",
                description:
                  "How many reads and writes the volume can do each second. Not supported.",
                unimplemented: true,
              },
              SnapshotId: {
                type: "string",
                description: "The ID of the snapshot with the content of the volume.",
                constraints: [{ custom: "cinder.snapshot" }],
              },
              VolumeSize: {
                type: "string",
                description:
                  "How large the volume is, in gigabytes. At least the size of the snapshot. Without it, Nova chooses the size.",
              },
              VolumeType: {
                type: "string",
                description: "The type of the volume. Not supported.",
                unimplemented: true,
              },
            },
          },
          NoDevice: {
            type: "map",
            description: "Leaves out a disk that the image defines. Not supported.",
            unimplemented: true,
          },
          VirtualName: {
            type: "string",
            description: "The name of a temporary disk, such as ephemeral0. Not supported.",
            unimplemented: true,
          },
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
  },
  attributes: {},
  validate: launchConfigurationProblem,
};
