import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseInstance } from "./instance-checks.ts";

export const troveInstance: DeclaredType = {
  type: "OS::Trove::Instance",
  schema: {
    description: "A database server that Trove sets up and looks after.",
    support: { since: "2014.1" },
    properties: {
      name: {
        type: "string",
        description: "The name of the database instance.",
        updateAllowed: true,
        constraints: [{ length: { max: 255 } }],
      },
      flavor: {
        type: "string",
        description: "The flavor of the database instance, by name or ID.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "trove.flavor" }],
      },
      datastore_type: {
        type: "string",
        description: "The database software, by the name of its datastore in Trove.",
        constraints: [{ length: { max: 255 } }],
      },
      datastore_version: {
        type: "string",
        description: "The version of the datastore. It must be one that the datastore type has.",
        constraints: [{ length: { max: 255 } }],
      },
      size: {
        type: "integer",
        description: "The size of the database volume. In gigabytes.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 1, max: 150 } }],
      },
      networks: {
        type: "list",
        description: "The network interfaces of the database instance.",
        default: [],
        items: {
          type: "map",
          schema: {
            network: {
              type: "string",
              description:
                "The network to attach the interface to, by name or ID. Set either network or port.",
              constraints: [{ custom: "neutron.network" }],
            },
            port: {
              type: "string",
              description:
                "The Neutron port to use as the interface, by name or ID. Set either network or port.",
              constraints: [{ custom: "neutron.port" }],
            },
            fixed_ip: {
              type: "string",
              description: "The fixed IPv4 address of the interface.",
              constraints: [{ custom: "ip_addr" }],
            },
          },
        },
      },
      databases: {
        type: "list",
        description: "The databases to create on the database instance.",
        default: [],
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            character_set: {
              type: "string",
              description: "The character set of the database.",
              default: "utf8",
            },
            collate: {
              type: "string",
              description:
                "The collation of the database. It decides how text is compared and sorted.",
              default: "utf8_general_ci",
            },
            name: {
              type: "string",
              description: "The name of the database.",
              required: true,
              constraints: [
                { length: { max: 64 } },
                { allowedPattern: "[a-zA-Z0-9_\\-]+[a-zA-Z0-9_@?#\\s\\-]*[a-zA-Z0-9_\\-]+" },
              ],
            },
          },
        },
      },
      users: {
        type: "list",
        description: "The users to create on the database instance.",
        default: [],
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            name: {
              type: "string",
              description: "The name of the user.",
              required: true,
              updateAllowed: true,
              constraints: [
                { length: { max: 16 } },
                { allowedPattern: "[a-zA-Z0-9_]+[a-zA-Z0-9_@?#\\s]*[a-zA-Z0-9_]+" },
              ],
            },
            password: {
              type: "string",
              description: "The password of the user.",
              required: true,
              updateAllowed: true,
              constraints: [{ allowedPattern: "[a-zA-Z0-9_]+[a-zA-Z0-9_@?#\\s]*[a-zA-Z0-9_]+" }],
            },
            host: {
              type: "string",
              description:
                "The host that the user may connect from. A percent sign means any host.",
              default: "%",
              updateAllowed: true,
            },
            databases: {
              type: "list",
              description: "The names of the databases that the user may access.",
              required: true,
              updateAllowed: true,
              constraints: [{ length: { min: 1 } }],
              items: { type: "string" },
            },
          },
        },
      },
      availability_zone: {
        type: "string",
        description: "The availability zone of the database instance.",
      },
      restore_point: {
        type: "string",
        description: "The ID of the backup to create the database instance from.",
      },
      replica_of: {
        type: "string",
        description: "The ID of the database instance that this one replicates.",
        support: { since: "5.0.0" },
      },
      replica_count: {
        type: "integer",
        description: "How many replicas to create.",
        support: { since: "5.0.0" },
      },
    },
    attributes: {
      hostname: { description: "The host name of the database instance.", type: "string" },
      href: { description: "The URL of the database instance in the Trove API.", type: "string" },
    },
    validate: refuseInstance,
  },
};
