import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { needsLimit } from "#lib/resources/cloud/quota-checks.ts";

export const octaviaQuota: DeclaredType = {
  type: "OS::Octavia::Quota",
  schema: {
    description:
      "Limits on how much of Octavia a project may use. Only administrators can set them.",
    support: { since: "14.0.0" },
    templateName: "OctaviaQuota",
    properties: {
      project: {
        type: "string",
        description: "The project, by ID or name.",
        required: true,
        constraints: [{ custom: "keystone.project" }],
      },
      healthmonitor: {
        type: "integer",
        description: "How many health monitors the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      listener: {
        type: "integer",
        description: "How many listeners the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      loadbalancer: {
        type: "integer",
        description: "How many load balancers the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      pool: {
        type: "integer",
        description: "How many pools the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      member: {
        type: "integer",
        description: "How many pool members the project may have. -1 means no limit.",
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
    },
    attributes: {},
    validate: needsLimit(["healthmonitor", "listener", "loadbalancer", "pool", "member"]),
  },
};
