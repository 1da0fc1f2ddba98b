import { isJsonObject, type Json } from "#lib/json.ts";
import type { ResourceSchema } from "#lib/ports/resource-type.ts";
import { isSet, reads } from "#lib/resources/cloud/given-values.ts";
import { CREATING, ROLLING } from "./batch-schemas.ts";

const hasProperties = (definition: Json | undefined): boolean =>
  isJsonObject(definition) && isSet(definition, "properties");

export const resourceGroupSchema: ResourceSchema = {
  description: "A fixed number of like members. Their properties can differ by their index.",
  support: { since: "2014.1" },
  properties: {
    count: {
      type: "integer",
      description: "How many members the group has.",
      default: 1,
      updateAllowed: true,
      constraints: [{ range: { min: 0 } }],
    },
    index_var: {
      type: "string",
      description:
        "The text that stands for a member's index in its properties. It can give each member its own name.",
      default: "%index%",
      support: { since: "2014.2" },
      constraints: [{ length: { min: 3 } }],
    },
    resource_def: {
      type: "map",
      description: "The definition of a member, written as in a template.",
      required: true,
      updateAllowed: true,
      schema: {
        type: { type: "string", description: "The type of the members.", required: true },
        properties: { type: "map", description: "The properties of the members." },
        metadata: {
          type: "map",
          description: "The metadata of the members.",
          support: { since: "5.0.0" },
        },
      },
    },
    removal_policies: {
      type: "list",
      description: "Which members an update removes first.",
      default: [],
      updateAllowed: true,
      support: { since: "2015.1" },
      items: {
        type: "map",
        description: "A choice of members that an update removes.",
        schema: {
          resource_list: {
            type: "list",
            description:
              "Names or IDs of members to remove, even if the count stays the same. Their names are never used again.",
            default: [],
          },
        },
      },
    },
    removal_policies_mode: {
      type: "string",
      description: "Whether new removal policies add to the earlier ones or replace them.",
      default: "append",
      updateAllowed: true,
      support: { since: "10.0.0" },
      constraints: [{ allowedValues: ["append", "update"] }],
    },
  },
  attributes: "any",
  commonAttributes: {
    refs: { description: "The IDs of the members.", type: "list" },
    refs_map: {
      description: "The IDs of the members, by their names.",
      type: "map",
      support: { since: "7.0.0" },
    },
    attributes: {
      description: "A given attribute of every member, by the names of the members.",
      type: "map",
      support: { since: "2014.2" },
    },
    removed_rsrc_list: {
      description: "The names of the members that removal policies have removed.",
      type: "list",
      support: { since: "7.0.0" },
    },
  },
  validate: (given) => {
    // As in Heat, a group without members is not checked.
    if (!isSet(given, "count")) return null;
    reads(given, "removal_policies");
    return hasProperties(given["resource_def"]) ? reads(given, "index_var") : null;
  },
  updatePolicy: {
    rolling_update: { type: "map", support: { since: "5.0.0" }, schema: ROLLING },
    batch_create: { type: "map", support: { since: "5.0.0" }, schema: CREATING },
  },
};
