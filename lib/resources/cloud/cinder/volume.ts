import type { JsonObject } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { isGiven, isSet } from "#lib/resources/cloud/refusals.ts";
import { pythonRepr } from "#lib/template/python-text.ts";

/** The older name of image is imageRef. */
const IMAGE_KEYS = ["image", "imageRef"];

const validate = (given: JsonObject): string | null => {
  reads(given, ...IMAGE_KEYS);
  if (isSet(given, "backup_id")) return null;
  const withSize = ["snapshot_id", "source_volid"].filter((key) => isSet(given, key));
  const hasImage = IMAGE_KEYS.some((key) => isSet(given, key));
  const sources = [...withSize, ...(hasImage ? ["image"] : [])];
  const list = pythonRepr(sources);
  if (!isGiven(given, "size") && (withSize.length !== 1 || sources.length !== 1)) {
    return `If neither "backup_id" nor "size" is provided, one and only one of "source_volid", "snapshot_id" must be specified, but currently specified options: ${list}.`;
  }
  return isSet(given, "size") && sources.length > 1
    ? `If "size" is provided, only one of "image", "imageRef", "source_volid", "snapshot_id" can be specified, but currently specified options: ${list}.`
    : null;
};

export const cinderVolume: DeclaredType = {
  type: "OS::Cinder::Volume",
  schema: {
    description:
      "A block storage device that a server can attach. It starts empty or from an image, a snapshot, a backup or another volume.",
    templateName: "CinderVolume",
    properties: {
      availability_zone: { type: "string", description: "The availability zone of the volume." },
      size: {
        type: "integer",
        description:
          "The volume's size in gigabytes. It can grow but not shrink. A volume from a snapshot, backup or volume may omit it.",
        updateAllowed: true,
        constraints: [{ range: { min: 1 } }],
      },
      snapshot_id: {
        type: "string",
        description: "The snapshot to copy into the volume, by ID.",
        constraints: [{ custom: "cinder.snapshot" }],
      },
      backup_id: {
        type: "string",
        description:
          "The backup to restore into the volume, by ID. A changed ID restores that backup into the same volume.",
        updateAllowed: true,
        constraints: [{ custom: "cinder.backup" }],
      },
      name: { type: "string", description: "The name of the volume.", updateAllowed: true },
      description: {
        type: "string",
        description: "The description of the volume.",
        updateAllowed: true,
      },
      volume_type: {
        type: "string",
        description: "The volume type, by name or ID. It decides the storage back end.",
        updateAllowed: true,
        constraints: [{ custom: "cinder.vtype" }],
      },
      metadata: {
        type: "map",
        description: "The metadata of the volume as key-value pairs.",
        default: {},
        updateAllowed: true,
      },
      imageRef: {
        type: "string",
        description: "The image to copy into the volume, by ID. Use image instead.",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message: "Use property image.",
          previous: { status: "DEPRECATED", since: "2014.1" },
        },
      },
      image: {
        type: "string",
        description: "The image to copy into the volume, by name or ID.",
        constraints: [{ custom: "glance.image" }],
      },
      source_volid: {
        type: "string",
        description: "The volume to copy into this one, by ID.",
        constraints: [{ custom: "cinder.volume" }],
      },
      scheduler_hints: {
        type: "map",
        description: "Hints for the Cinder scheduler as key-value pairs.",
        support: { since: "2015.1" },
      },
      read_only: {
        type: "boolean",
        description: "Whether servers may only read the volume.",
        updateAllowed: true,
        support: { since: "5.0.0" },
      },
      multiattach: {
        type: "boolean",
        description:
          "Whether several servers may attach the volume at once. Use a volume type with multiattach instead.",
        default: false,
        support: { status: "HIDDEN", since: "13.0.0", previous: { since: "6.0.0" } },
      },
    },
    translations: [{ replace: ["image"], by: { property: ["imageRef"] } }],
    attributes: {
      availability_zone: { description: "The availability zone of the volume.", type: "string" },
      size: { description: "The volume's size in gigabytes.", type: "string" },
      snapshot_id: {
        description: "The ID of the snapshot that the volume came from, if any.",
        type: "string",
      },
      display_name: { description: "The name of the volume.", type: "string" },
      display_description: { description: "The description of the volume.", type: "string" },
      volume_type: { description: "The name of the volume type, if any.", type: "string" },
      metadata: { description: "The metadata of the volume as a JSON string.", type: "string" },
      source_volid: {
        description: "The ID of the volume that this one was copied from, if any.",
        type: "string",
      },
      status: { description: "The volume's status.", type: "string" },
      created_at: { description: "The time when the volume was created.", type: "string" },
      bootable: { description: "Whether a server can boot from the volume.", type: "string" },
      metadata_values: { description: "The metadata of the volume as a map.", type: "map" },
      encrypted: { description: "Whether the volume is encrypted.", type: "string" },
      attachments: {
        description: "The attachments of the volume as a string.",
        type: "string",
        support: {
          status: "DEPRECATED",
          since: "9.0.0",
          message: "Use property attachments_list.",
          previous: { since: "2015.1" },
        },
      },
      attachments_list: {
        description: "The attachments of the volume as a list.",
        type: "list",
        support: { since: "9.0.0" },
      },
      multiattach: {
        description: "Whether several servers may attach the volume at once.",
        type: "boolean",
        support: { since: "6.0.0" },
      },
    },
    validate,
  },
  takesSnapshots: true,
};
