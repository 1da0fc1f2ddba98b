import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsEc2VolumeAttachment: DeclaredType = {
  type: "AWS::EC2::VolumeAttachment",
  schema: {
    description: "Attaches a volume to a server.",
    properties: {
      InstanceId: {
        type: "string",
        description: "The ID of the server.",
        required: true,
        immutable: true,
        constraints: [{ custom: "nova.server" }],
      },
      VolumeId: {
        type: "string",
        description: "The ID of the volume.",
        required: true,
        immutable: true,
        constraints: [{ custom: "cinder.volume" }],
      },
      Device: {
        type: "string",
        description:
          "The device on the server. The server may choose another. A path under /dev/disk/by-id is safer to use.",
        required: true,
        immutable: true,
        constraints: [{ allowedPattern: "/dev/vd[b-z]" }],
      },
    },
    attributes: {},
  },
};
