/** What templates and clients see of OS::Heat::ResourceChain. */
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";

export const resourceChainSchema: ResourceSchema = {
  description:
    "A list of members of different types with the same properties, made one after another or together.",
  support: { since: "6.0.0" },
  properties: {
    resources: {
      type: "list",
      description:
        "The types of the members, in order. Names from the environment's registry are allowed; files are not.",
      required: true,
      updateAllowed: true,
    },
    concurrent: {
      type: "boolean",
      description:
        "Whether the members are made together. Otherwise each waits for the one before it.",
      default: false,
    },
    resource_properties: { type: "map", description: "The properties that every member gets." },
  },
  validate: (given) => reads(given, "resources"),
  // All other names are attributes of the members.
  attributes: "any",
  commonAttributes: {
    refs: { description: "The IDs of the members.", type: "list" },
    attributes: {
      description: "A given attribute of every member, by the names of the members.",
      type: "map",
    },
  },
};
