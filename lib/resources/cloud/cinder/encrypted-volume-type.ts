import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const cinderEncryptedVolumeType: DeclaredType = {
  type: "OS::Cinder::EncryptedVolumeType",
  schema: {
    description:
      "The settings with which Cinder encrypts the volumes of a volume type. Needs administrator rights.",
    support: { since: "5.0.0" },
    templateName: "CinderEncryptedVolumeType",
    properties: {
      provider: {
        type: "string",
        description: "The encryption provider, as a format name such as luks or a class path.",
        required: true,
        updateAllowed: true,
      },
      control_location: {
        type: "string",
        description:
          "The side that encrypts the data. The front end is Nova and the back end is Cinder.",
        default: "front-end",
        updateAllowed: true,
        constraints: [{ allowedValues: ["front-end", "back-end"] }],
      },
      cipher: {
        type: "string",
        description: "The encryption cipher and mode.",
        updateAllowed: true,
        constraints: [{ allowedValues: ["aes-xts-plain64", "aes-cbc-essiv"] }],
      },
      key_size: {
        type: "integer",
        description: "The length of the key in bits.",
        updateAllowed: true,
      },
      volume_type: {
        type: "string",
        description: "The volume type to encrypt, by name or ID.",
        required: true,
        constraints: [{ custom: "cinder.vtype" }],
      },
    },
    attributes: {},
  },
};
