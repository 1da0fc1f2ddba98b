import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { noneOf } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): Refusal | null =>
  Object.values(given).length > 1
    ? null
    : noneOf(
        ...Object.keys(novaQuota.schema.properties)
          .filter((key) => key !== "project")
          .toSorted(),
      );

export const novaQuota: DeclaredType = {
  type: "OS::Nova::Quota",
  schema: {
    description:
      "The compute limits of a project, set once per project. Needs administrator rights.",
    support: { since: "8.0.0" },
    templateName: "NovaQuota",
    properties: {
      project: {
        type: "string",
        description: "The project, by name or ID.",
        required: true,
        constraints: [{ custom: "keystone.project" }],
      },
      cores: {
        type: "integer",
        description: "The most processor cores the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      fixed_ips: {
        type: "integer",
        description: "The most fixed IPs the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      floating_ips: {
        type: "integer",
        description: "The most floating IPs the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      instances: {
        type: "integer",
        description: "The most servers the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      injected_files: {
        type: "integer",
        description:
          "The most files to inject into a server. -1 means no limit. Newer Nova versions have no file injection.",
        updateAllowed: true,
        support: {
          status: "DEPRECATED",
          since: "14.0.0",
          message:
            "File injection is deprecated from compute REST API OS::Nova::Quota resource will not support it in the future.",
        },
        constraints: [{ range: { min: -1 } }],
      },
      injected_file_content_bytes: {
        type: "integer",
        description:
          "The most bytes in an injected file. -1 means no limit. Newer Nova versions have no file injection.",
        updateAllowed: true,
        support: {
          status: "DEPRECATED",
          since: "14.0.0",
          message:
            "File injection is deprecated from compute REST API OS::Nova::Quota resource will not support it in the future.",
        },
        constraints: [{ range: { min: -1 } }],
      },
      injected_file_path_bytes: {
        type: "integer",
        description:
          "The most bytes in the path of an injected file. -1 means no limit. Newer Nova versions have no file injection.",
        updateAllowed: true,
        support: {
          status: "DEPRECATED",
          since: "14.0.0",
          message:
            "File injection is deprecated from compute REST API OS::Nova::Quota resource will not support it in the future.",
        },
        constraints: [{ range: { min: -1 } }],
      },
      key_pairs: {
        type: "integer",
        description: "The most key pairs a user may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      metadata_items: {
        type: "integer",
        description: "The most metadata items a server may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      ram: {
        type: "integer",
        description: "The most megabytes of memory the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      security_groups: {
        type: "integer",
        description: "The most security groups the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      security_group_rules: {
        type: "integer",
        description: "The most rules a security group may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      server_groups: {
        type: "integer",
        description: "The most server groups the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      server_group_members: {
        type: "integer",
        description: "The most servers a server group may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
    },
    attributes: {},
    validate,
  },
};
