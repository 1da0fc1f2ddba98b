import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const octaviaHealthMonitor: DeclaredType = {
  type: "OS::Octavia::HealthMonitor",
  schema: {
    description: "Checks the members of a pool. A member that fails gets no traffic.",
    support: { since: "10.0.0" },
    properties: {
      admin_state_up: {
        type: "boolean",
        description: "Whether the health monitor is in use.",
        default: true,
        updateAllowed: true,
      },
      delay: {
        type: "integer",
        description: "The time between two checks of a member, in seconds.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      expected_codes: {
        type: "string",
        description:
          "The HTTP status codes of a healthy member. One code, a list with commas or a range with a hyphen.",
        updateAllowed: true,
      },
      http_method: {
        type: "string",
        description: "The HTTP method of the checks.",
        updateAllowed: true,
        constraints: [
          {
            allowedValues: [
              "GET",
              "HEAD",
              "POST",
              "PUT",
              "DELETE",
              "TRACE",
              "OPTIONS",
              "CONNECT",
              "PATCH",
            ],
          },
        ],
      },
      max_retries: {
        type: "integer",
        description: "How many checks in a row a member must pass to count as healthy.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 1, max: 10 } }],
      },
      pool: {
        type: "string",
        description: "The pool, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.pool" }],
      },
      timeout: {
        type: "integer",
        description: "How long a check waits for an answer, in seconds.",
        required: true,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      type: {
        type: "string",
        description: "How members are checked.",
        required: true,
        constraints: [{ allowedValues: ["PING", "TCP", "HTTP", "HTTPS", "UDP-CONNECT"] }],
      },
      url_path: {
        type: "string",
        description: "The path that HTTP checks ask for. It starts with a slash.",
        updateAllowed: true,
      },
      tenant_id: {
        type: "string",
        description: "The ID of the project that owns the health monitor.",
      },
    },
    attributes: {
      pools: { description: "The pools that the health monitor checks.", type: "list" },
    },
  },
};
