import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";

export const novaServerGroup: DeclaredType = {
  type: "OS::Nova::ServerGroup",
  schema: {
    description:
      "A group of servers that Nova places together on one host or apart on different hosts.",
    support: { since: "2014.2" },
    properties: {
      name: { type: "string", description: "The name of the server group." },
      policies: {
        type: "list",
        description: "The placement policy of the server group. Give exactly one.",
        default: ["anti-affinity"],
        constraints: [
          { allowedValues: ["anti-affinity", "affinity", "soft-anti-affinity", "soft-affinity"] },
        ],
        items: { type: "string" },
      },
      rules: {
        type: "map",
        description: "The rules of the placement policy.",
        support: { since: "17.0.0" },
        schema: {
          max_server_per_host: {
            type: "number",
            description:
              "The most servers of the group on one host. Only the anti-affinity policy uses it.",
          },
        },
      },
    },
    validate: (given) => reads(given, "policies", "rules"),
    attributes: {},
  },
};
