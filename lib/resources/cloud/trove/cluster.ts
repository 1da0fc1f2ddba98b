import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { conflictOf } from "#lib/resources/cloud/refusals.ts";
import { EITHER_NETWORK_OR_PORT, networksSchema, refuseDatastore } from "./database-checks.ts";

const instancesSchema = z.array(z.object({ networks: networksSchema }));

const validate = (given: JsonObject): Refusal | null => {
  const wrong = refuseDatastore(given);
  if (wrong !== null) return wrong;
  const networks = instancesSchema.parse(given["instances"]).flatMap((one) => one.networks);
  for (const { network, port } of networks) {
    if (network === undefined && port === undefined) return EITHER_NETWORK_OR_PORT;
    if (network !== undefined && port !== undefined) return conflictOf("network", "port");
  }
  return null;
};

export const troveCluster: DeclaredType = {
  type: "OS::Trove::Cluster",
  schema: {
    description: "A group of database instances that Trove runs as one database.",
    support: { since: "2015.1" },
    templateName: "TroveCluster",
    properties: {
      name: {
        type: "string",
        description: "The name of the database cluster.",
        constraints: [{ length: { max: 255 } }],
      },
      datastore_type: {
        type: "string",
        description: "The database software, by the name of its datastore in Trove.",
        required: true,
        constraints: [{ length: { max: 255 } }],
      },
      datastore_version: {
        type: "string",
        description: "The version of the datastore. It must be one that the datastore type has.",
        required: true,
        constraints: [{ length: { max: 255 } }],
      },
      instances: {
        type: "list",
        description: "The database instances of the cluster.",
        required: true,
        items: {
          type: "map",
          schema: {
            flavor: {
              type: "string",
              description: "The flavor of the database instance, by name or ID.",
              required: true,
              constraints: [{ custom: "trove.flavor" }],
            },
            volume_size: {
              type: "integer",
              description: "The size of the database volume. In gigabytes.",
              required: true,
              constraints: [{ range: { min: 1, max: 150 } }],
            },
            networks: {
              type: "list",
              description: "The network interfaces of the database instance.",
              default: [],
              support: { since: "10.0.0" },
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
            availability_zone: {
              type: "string",
              description: "The availability zone of the database instance.",
              support: { since: "14.0.0" },
            },
          },
        },
      },
    },
    attributes: {
      instances: { description: "The IDs of the database instances.", type: "list" },
      ip: { description: "The IP addresses of the database instances.", type: "list" },
    },
    validate,
  },
};
