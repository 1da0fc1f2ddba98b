import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2Volume: DeclaredType = {
  type: "AWS::EC2::Volume",
  schema: {
    description: "A Cinder volume: a disk that can be attached to a server.",
    properties: {
      AvailabilityZone: {
        type: "string",
        description: "The availability zone of the volume.",
        required: true,
        immutable: true,
      },
      Size: {
        type: "integer",
        description: "How large the volume is, in gigabytes.",
        immutable: true,
        constraints: [{ range: { min: 1 } }],
      },
      SnapshotId: {
        type: "string",
        description: "The ID of the backup that the volume is restored from.",
        immutable: true,
        constraints: [{ custom: "cinder.backup" }],
      },
      Tags: {
        type: "list",
        description: "Keys and values to store with the volume.",
        immutable: true,
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
  },
  takesSnapshots: true,
};
