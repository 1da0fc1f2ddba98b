import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const manilaShare: DeclaredType = {
  type: "OS::Manila::Share",
  schema: {
    description:
      "A file system of a set size that clients mount over the network. Access rules say who can use it.",
    support: { since: "5.0.0" },
    templateName: "ManilaShare",
    properties: {
      share_protocol: {
        type: "string",
        description: "The protocol that clients use to mount the share.",
        required: true,
        constraints: [{ allowedValues: ["NFS", "CIFS", "GlusterFS", "HDFS", "CEPHFS"] }],
      },
      size: {
        type: "integer",
        description: "The size of the share. In gigabytes.",
        required: true,
      },
      snapshot: {
        type: "string",
        description: "The share snapshot to create the share from, by name or ID.",
        constraints: [{ custom: "manila.share_snapshot" }],
      },
      name: { type: "string", description: "The name of the share.", updateAllowed: true },
      metadata: {
        type: "map",
        description: "Key-value pairs stored with the share.",
        updateAllowed: true,
      },
      share_network: {
        type: "string",
        description: "The share network to use, by name or ID.",
        constraints: [{ custom: "manila.share_network" }],
      },
      description: {
        type: "string",
        description: "A description of the share.",
        updateAllowed: true,
      },
      share_type: {
        type: "string",
        description: "The share type, by name or ID. It decides which storage the share gets.",
        constraints: [{ custom: "manila.share_type" }],
      },
      is_public: {
        type: "boolean",
        description: "Whether other projects can see the share.",
        default: false,
        updateAllowed: true,
      },
      access_rules: {
        type: "list",
        description: "The rules that say who can use the share.",
        default: [],
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            access_to: {
              type: "string",
              description:
                "The client that gets access, such as an IP address, subnet or user name.",
              required: true,
            },
            access_type: {
              type: "string",
              description: "How the rule identifies the client.",
              required: true,
              constraints: [{ allowedValues: ["ip", "user", "cert", "cephx"] }],
            },
            access_level: {
              type: "string",
              description: "What the client may do with the share.",
              constraints: [{ allowedValues: ["ro", "rw"] }],
            },
          },
        },
      },
    },
    attributes: {
      availability_zone: { description: "The availability zone of the share.", type: "string" },
      host: { description: "The Manila host that serves the share.", type: "string" },
      export_locations: {
        description: "The paths from which clients can mount the share.",
        type: "list",
      },
      share_server_id: {
        description: "The ID of the share server that exports the share.",
        type: "string",
      },
      created_at: { description: "When the share was created.", type: "string" },
      status: { description: "The current status of the share.", type: "string" },
      project_id: { description: "The ID of the project that owns the share.", type: "string" },
    },
  },
};
