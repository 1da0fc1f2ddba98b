import type { PropertySchema } from "#lib/model/property-schema.ts";

export const blockDeviceMappings: PropertySchema = {
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
            description: "How many reads and writes the volume can do each second. Not supported.",
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
};
