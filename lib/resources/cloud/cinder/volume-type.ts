import type { JsonObject } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): string | null =>
  isSet(given, "projects") && isSet(given, "is_public")
    ? 'Can not specify property "projects" if the volume type is public.'
    : null;

export const cinderVolumeType: DeclaredType = {
  type: "OS::Cinder::VolumeType",
  schema: {
    description:
      "A kind of volume that users can choose, tied to a storage back end and its features. Needs administrator rights.",
    support: { since: "2015.1" },
    templateName: "CinderVolumeType",
    properties: {
      name: {
        type: "string",
        description: "The name of the volume type.",
        required: true,
        updateAllowed: true,
      },
      metadata: {
        type: "map",
        description: "The extra specs of the volume type as key-value pairs.",
        updateAllowed: true,
      },
      is_public: {
        type: "boolean",
        description: "Whether every project may use the volume type.",
        default: true,
        updateAllowed: true,
        support: { since: "5.0.0" },
      },
      description: {
        type: "string",
        description: "The description of the volume type.",
        updateAllowed: true,
        support: { since: "5.0.0" },
      },
      projects: {
        type: "list",
        description: "The projects that may use a private volume type.",
        default: [],
        updateAllowed: true,
        support: { since: "5.0.0" },
        items: { type: "string", constraints: [{ custom: "keystone.project" }] },
      },
    },
    attributes: {},
    validate,
  },
};
