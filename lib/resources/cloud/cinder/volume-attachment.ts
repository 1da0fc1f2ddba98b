import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const cinderVolumeAttachment: DeclaredType = {
  type: "OS::Cinder::VolumeAttachment",
  schema: {
    description: "An attachment of a Cinder volume to a server.",
    templateName: "CinderVolumeAttachment",
    properties: {
      instance_uuid: {
        type: "string",
        description: "The ID of the server.",
        required: true,
        updateAllowed: true,
      },
      volume_id: {
        type: "string",
        description: "The ID of the volume.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "cinder.volume" }],
      },
      mountpoint: {
        type: "string",
        description:
          "The device path for the volume on the server. The hypervisor may choose another; paths under /dev/disk/by-id are reliable.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};
