import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { noneOf } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): Refusal | null =>
  Object.values(given).length > 1
    ? null
    : noneOf("gigabytes", "snapshots", "volumes", "backups", "backup_gigabytes");

export const cinderQuota: DeclaredType = {
  type: "OS::Cinder::Quota",
  schema: {
    description:
      "The block storage limits of a project, set once per project. Needs administrator rights.",
    support: { since: "7.0.0" },
    templateName: "CinderQuota",
    properties: {
      project: {
        type: "string",
        description: "The project, by name or ID.",
        required: true,
        constraints: [{ custom: "keystone.project" }],
      },
      gigabytes: {
        type: "integer",
        description:
          "The most gigabytes of volumes and snapshots the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      volumes: {
        type: "integer",
        description: "The most volumes the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      backups: {
        type: "integer",
        description: "The most backups the project may have. -1 means no limit.",
        updateAllowed: true,
        support: { since: "16.0.0" },
        constraints: [{ range: { min: -1 } }],
      },
      backup_gigabytes: {
        type: "integer",
        description: "The most gigabytes of backups the project may have. -1 means no limit.",
        updateAllowed: true,
        support: { since: "16.0.0" },
        constraints: [{ range: { min: -1 } }],
      },
      snapshots: {
        type: "integer",
        description: "The most snapshots the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
    },
    attributes: {},
    validate,
  },
};
