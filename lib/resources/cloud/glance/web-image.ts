import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isSet, needsValue } from "#lib/resources/cloud/refusals.ts";
import { member } from "#lib/template/json-shape.ts";

/** Amazon's formats, in which the container is the disk. */
const AMAZON_FORMATS: readonly unknown[] = ["ami", "ari", "aki"];

const validate = (given: JsonObject): Refusal | null => {
  const container = member(given, "container_format");
  if (AMAZON_FORMATS.includes(container) && member(given, "disk_format") !== container) {
    return "Invalid mix of disk and container formats. When setting a disk or container format to one of 'aki', 'ari', or 'ami', the container and disk formats must match.";
  }
  return isSet(given, "members") && member(given, "visibility") !== "shared"
    ? needsValue("members", "visibility", "shared")
    : null;
};

export const glanceWebImage: DeclaredType = {
  type: "OS::Glance::WebImage",
  schema: {
    description: "A disk image for servers and volumes. Glance downloads its data from a URL.",
    support: { since: "12.0.0" },
    templateName: "GlanceWebImage",
    properties: {
      name: {
        type: "string",
        description: "The name of the image. Several images may have the same name.",
      },
      id: { type: "string", description: "The ID of the image, as a UUID." },
      min_disk: {
        type: "integer",
        description: "The smallest disk that can boot the image, in gigabytes. Zero means any.",
        default: 0,
        constraints: [{ range: { min: 0 } }],
      },
      min_ram: {
        type: "integer",
        description: "The least memory that can boot the image, in megabytes. Zero means any.",
        default: 0,
        constraints: [{ range: { min: 0 } }],
      },
      protected: {
        type: "boolean",
        description: "Whether Glance refuses to delete the image.",
        default: false,
        updateAllowed: true,
      },
      disk_format: {
        type: "string",
        description: "The format of the disk data.",
        required: true,
        constraints: [
          {
            allowedValues: [
              "ami",
              "ari",
              "aki",
              "vhd",
              "vhdx",
              "vmdk",
              "raw",
              "qcow2",
              "vdi",
              "iso",
              "ploop",
            ],
          },
        ],
      },
      container_format: {
        type: "string",
        description: "The format of the file around the disk data.",
        required: true,
        constraints: [{ allowedValues: ["ami", "ari", "aki", "bare", "ovf", "ova", "docker"] }],
      },
      location: {
        type: "string",
        description: "The URL that Glance downloads the image data from.",
        required: true,
      },
      tags: { type: "list", description: "The tags of the image.", updateAllowed: true },
      architecture: {
        type: "string",
        description: "The processor architecture that the image runs on, such as x86_64.",
        updateAllowed: true,
      },
      kernel_id: {
        type: "string",
        description: "The ID of the kernel image that an AMI image boots with.",
        updateAllowed: true,
        constraints: [
          {
            allowedPattern:
              "^([0-9a-fA-F]){8}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){12}$",
          },
        ],
      },
      os_distro: {
        type: "string",
        description: "The operating system distribution in lower case, such as ubuntu.",
        updateAllowed: true,
      },
      os_version: {
        type: "string",
        description: "The version of the operating system.",
        updateAllowed: true,
      },
      owner: {
        type: "string",
        description: "The ID of the project that owns the image.",
        updateAllowed: true,
      },
      extra_properties: {
        type: "map",
        description: "Further properties of the image as key-value pairs.",
        default: {},
        updateAllowed: true,
        support: { since: "17.0.0" },
      },
      visibility: {
        type: "string",
        description: "Who may see and use the image.",
        default: "private",
        updateAllowed: true,
        constraints: [{ allowedValues: ["public", "private", "community", "shared"] }],
      },
      ramdisk_id: {
        type: "string",
        description: "The ID of the ramdisk image that an AMI image boots with.",
        updateAllowed: true,
        constraints: [
          {
            allowedPattern:
              "^([0-9a-fA-F]){8}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){12}$",
          },
        ],
      },
      active: {
        type: "boolean",
        description: "Whether the image data may be used. Needs administrator rights.",
        default: true,
        updateAllowed: true,
        support: { since: "16.0.0" },
      },
      members: {
        type: "list",
        description: "The projects or users that a shared image is shared with.",
        updateAllowed: true,
        support: { since: "16.0.0" },
        items: {
          type: "string",
          description: "The ID of a project or user. The Glance configuration decides which.",
        },
      },
    },
    attributes: {},
    validate,
  },
};
