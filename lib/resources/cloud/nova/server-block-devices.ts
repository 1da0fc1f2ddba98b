/** The properties of OS::Nova::Server for its disks, in the old format and in the new one. */
import type { PropertySchema } from "#lib/model/property-schema.ts";

export const blockDeviceMapping: PropertySchema = {
  type: "list",
  description:
    "The volumes to attach when the server is created, in the old format. The newer block_device_mapping_v2 can do more.",
  items: {
    type: "map",
    schema: {
      device_name: {
        type: "string",
        description: "The device name on the server, such as vda. It appears under /dev.",
        required: true,
      },
      volume_id: {
        type: "string",
        description: "The volume to attach, by ID. Give this or snapshot_id.",
        constraints: [{ custom: "cinder.volume" }],
      },
      snapshot_id: {
        type: "string",
        description: "The snapshot that a new volume is copied from, by ID.",
        constraints: [{ custom: "cinder.snapshot" }],
      },
      volume_size: {
        type: "integer",
        description: "The volume's size in gigabytes. Nova can work it out from the source.",
      },
      delete_on_termination: {
        type: "boolean",
        description: "Whether to delete the volume together with the server.",
      },
    },
  },
};

export const blockDeviceMappingV2: PropertySchema = {
  type: "list",
  description:
    "The disks to give the server when it is created, such as volumes, swap and ephemeral disks.",
  support: { since: "2015.1" },
  items: {
    type: "map",
    schema: {
      device_name: {
        type: "string",
        description: "The device name on the server, such as vda. It appears under /dev.",
      },
      volume_id: {
        type: "string",
        description: "The volume to attach, by ID. The server need not boot from it.",
        constraints: [{ custom: "cinder.volume" }],
      },
      image_id: {
        type: "string",
        description: "The image that a new volume is copied from, by ID. Use image instead.",
        support: {
          status: "HIDDEN",
          since: "9.0.0",
          message: "Use property image.",
          previous: { status: "DEPRECATED", since: "7.0.0", previous: { since: "5.0.0" } },
        },
        constraints: [{ custom: "glance.image" }],
      },
      image: {
        type: "string",
        description: "The image that a new volume is copied from, by name or ID.",
        support: { since: "7.0.0" },
        constraints: [{ custom: "glance.image" }],
      },
      snapshot_id: {
        type: "string",
        description: "The snapshot that a new volume is copied from, by ID.",
        constraints: [{ custom: "cinder.snapshot" }],
      },
      swap_size: { type: "integer", description: "The size of the swap disk in megabytes." },
      ephemeral_size: {
        type: "integer",
        description: "The size of the ephemeral disk in gigabytes.",
        support: { since: "8.0.0" },
        constraints: [{ range: { min: 1 } }],
      },
      ephemeral_format: {
        type: "string",
        description: "The file system of the ephemeral disk.",
        support: { since: "8.0.0" },
        constraints: [{ allowedValues: ["ext2", "ext3", "ext4", "xfs", "ntfs"] }],
      },
      device_type: {
        type: "string",
        description: "The kind of device that the server sees.",
        constraints: [{ allowedValues: ["cdrom", "disk"] }],
      },
      disk_bus: {
        type: "string",
        description: "The bus that connects the device to the server.",
        constraints: [{ allowedValues: ["ide", "lame_bus", "sata", "scsi", "usb", "virtio"] }],
      },
      boot_index: {
        type: "integer",
        description:
          "The position of the device in the boot order, from 0. The server never boots from a negative one.",
      },
      volume_size: {
        type: "integer",
        description: "The size of the device in gigabytes. Nova can work it out from the source.",
      },
      delete_on_termination: {
        type: "boolean",
        description: "Whether to delete the device together with the server.",
      },
      volume_type: {
        type: "string",
        description: "The volume type of a new volume, by name or ID. Needs Nova API version 2.67.",
        support: { since: "26.0.0" },
        constraints: [{ custom: "cinder.vtype" }],
      },
    },
  },
};
