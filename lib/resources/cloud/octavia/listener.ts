import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isGiven } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

export const octaviaListener: DeclaredType = {
  type: "OS::Octavia::Listener",
  schema: {
    description: "A port on which a load balancer takes traffic.",
    support: { since: "10.0.0" },
    properties: {
      protocol_port: {
        type: "integer",
        description: "The port that clients connect to.",
        required: true,
        constraints: [{ range: { min: 1, max: 65535 } }],
      },
      protocol: {
        type: "string",
        description: "The protocol of the traffic.",
        required: true,
        constraints: [
          { allowedValues: ["TCP", "HTTP", "HTTPS", "TERMINATED_HTTPS", "PROXY", "UDP"] },
        ],
      },
      loadbalancer: {
        type: "string",
        description: "The load balancer, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.loadbalancer" }],
      },
      default_pool: {
        type: "string",
        description: "The pool that gets requests which no L7 policy takes, by ID or name.",
        updateAllowed: true,
        constraints: [{ custom: "octavia.pool" }],
      },
      name: { type: "string", description: "The name of the listener.", updateAllowed: true },
      admin_state_up: {
        type: "boolean",
        description: "Whether the listener is in use.",
        default: true,
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "The description of the listener.",
        default: "",
        updateAllowed: true,
      },
      default_tls_container_ref: {
        type: "string",
        description: "The URI of the secret with the certificate and key for encrypted traffic.",
        updateAllowed: true,
      },
      sni_container_refs: {
        type: "list",
        description: "The URIs of secrets with certificates and keys for further host names.",
        updateAllowed: true,
      },
      connection_limit: {
        type: "integer",
        description: "The most connections at a time. -1 means no limit.",
        default: -1,
        updateAllowed: true,
        constraints: [{ range: { min: -1 } }],
      },
      tenant_id: { type: "string", description: "The ID of the project that owns the listener." },
      allowed_cidrs: {
        type: "list",
        description:
          "The ranges of addresses that may connect, in CIDR notation. All others are refused.",
        updateAllowed: true,
        support: { since: "14.0.0" },
        items: { type: "string", constraints: [{ custom: "net_cidr" }] },
      },
    },
    attributes: {
      loadbalancers: { description: "The load balancers of the listener.", type: "list" },
      default_pool_id: { description: "The ID of the default pool.", type: "string" },
    },
    validate: (given) =>
      member(given, "protocol") === "TERMINATED_HTTPS" &&
      !isGiven(given, "default_tls_container_ref")
        ? "Property default_tls_container_ref required when protocol is TERMINATED_HTTPS."
        : null,
  },
};
