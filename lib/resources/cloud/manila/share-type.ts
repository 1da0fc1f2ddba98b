import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const manilaShareType: DeclaredType = {
  type: "OS::Manila::ShareType",
  schema: {
    description:
      "A class of shares that an administrator offers to projects. Its extra specs guide the choice of storage for a share.",
    support: { since: "5.0.0" },
    templateName: "ManilaShareType",
    properties: {
      name: { type: "string", description: "The name of the Manila share type.", required: true },
      is_public: {
        type: "boolean",
        description: "Whether all projects can use the share type.",
        default: true,
      },
      driver_handles_share_servers: {
        type: "boolean",
        description: "Whether the storage driver creates and runs the share servers.",
        required: true,
      },
      extra_specs: {
        type: "map",
        description: "Key-value pairs that a storage backend must match.",
        updateAllowed: true,
      },
      snapshot_support: {
        type: "boolean",
        description: "Whether the storage backend must be able to take snapshots of shares.",
        default: true,
        support: { since: "6.0.0" },
      },
    },
    attributes: {},
  },
};
