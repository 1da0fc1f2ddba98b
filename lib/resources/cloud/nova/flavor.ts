import { ExactNumber } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

/** Heat has a float here. */
const ONE = new ExactNumber(1);

export const novaFlavor: DeclaredType = {
  type: "OS::Nova::Flavor",
  schema: {
    description:
      "A size of server that users can choose: processors, memory and disk. Needs administrator rights.",
    support: { since: "2014.2" },
    templateName: "NovaFlavor",
    properties: {
      tenants: {
        type: "list",
        description: "The projects that may use a private flavor.",
        default: [],
        updateAllowed: true,
        support: { since: "8.0.0" },
        items: { type: "string", constraints: [{ custom: "keystone.project" }] },
      },
      flavorid: {
        type: "string",
        description: "The ID of the flavor, unique in the cloud.",
        support: { since: "7.0.0" },
      },
      name: { type: "string", description: "The flavor's name.", support: { since: "7.0.0" } },
      ram: { type: "integer", description: "The memory of a server in megabytes.", required: true },
      vcpus: {
        type: "integer",
        description: "The number of virtual processors of a server.",
        required: true,
      },
      disk: {
        type: "integer",
        description: "The size of the root disk in gigabytes. Zero means the size of the image.",
        default: 0,
      },
      swap: { type: "integer", description: "The size of the swap disk in megabytes.", default: 0 },
      ephemeral: {
        type: "integer",
        description: "The size of the extra ephemeral disk in gigabytes.",
        default: 0,
      },
      rxtx_factor: {
        type: "number",
        description:
          "The factor that scales the network bandwidth of a server. Most hypervisors ignore it.",
        default: ONE,
      },
      extra_specs: {
        type: "map",
        description: "The extra specs of the flavor as key-value pairs.",
        updateAllowed: true,
      },
      is_public: {
        type: "boolean",
        description: "Whether every project may use the flavor.",
        default: true,
        support: { since: "6.0.0" },
      },
    },
    attributes: {
      is_public: {
        description: "Whether every project may use the flavor.",
        type: "boolean",
        support: { since: "6.0.0" },
      },
      extra_specs: {
        description: "The extra specs of the flavor as key-value pairs.",
        type: "map",
        support: { since: "7.0.0" },
      },
    },
  },
};
