import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { poolProblem } from "./pool-checks.ts";

export const octaviaPool: DeclaredType = {
  type: "OS::Octavia::Pool",
  schema: {
    description: "A group of servers that share the traffic of a load balancer.",
    support: { since: "10.0.0" },
    properties: {
      admin_state_up: {
        type: "boolean",
        description: "Whether the pool is in use.",
        default: true,
        updateAllowed: true,
      },
      description: {
        type: "string",
        description: "The description of the pool.",
        default: "",
        updateAllowed: true,
      },
      session_persistence: {
        type: "map",
        description: "How a client stays with the same member.",
        updateAllowed: true,
        schema: {
          type: {
            type: "string",
            description: "What a client is recognized by.",
            required: true,
            constraints: [{ allowedValues: ["SOURCE_IP", "HTTP_COOKIE", "APP_COOKIE"] }],
          },
          cookie_name: {
            type: "string",
            description: "The name of the cookie. Needed for APP_COOKIE.",
          },
        },
      },
      name: { type: "string", description: "The name of the pool.", updateAllowed: true },
      lb_algorithm: {
        type: "string",
        description: "How traffic is spread over the members.",
        required: true,
        updateAllowed: true,
        constraints: [
          { allowedValues: ["ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP", "SOURCE_IP_PORT"] },
        ],
      },
      listener: {
        type: "string",
        description: "The listener that the pool is the default of, by ID or name.",
        constraints: [{ custom: "octavia.listener" }],
      },
      loadbalancer: {
        type: "string",
        description: "The load balancer, by ID or name.",
        constraints: [{ custom: "octavia.loadbalancer" }],
      },
      protocol: {
        type: "string",
        description: "The protocol of the traffic to the members.",
        required: true,
        constraints: [
          { allowedValues: ["TCP", "HTTP", "HTTPS", "TERMINATED_HTTPS", "PROXY", "UDP"] },
        ],
      },
      tls_enabled: {
        type: "boolean",
        description: "Whether traffic to the members is encrypted.",
        default: false,
        updateAllowed: true,
        support: { since: "14.0.0" },
      },
    },
    attributes: {
      healthmonitor_id: {
        description: "The ID of the health monitor of the pool.",
        type: "string",
      },
      listeners: { description: "The listeners of the pool.", type: "string" },
      members: { description: "The members of the pool.", type: "list" },
    },
    validate: poolProblem,
  },
};
