import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const magnumCluster: DeclaredType = {
  type: "OS::Magnum::Cluster",
  schema: {
    description:
      "A group of servers that run containers under an orchestration engine such as Kubernetes.",
    support: { since: "9.0.0" },
    properties: {
      name: { type: "string", description: "The name of the cluster." },
      cluster_template: {
        type: "string",
        description: "The cluster template to build from, by name or ID.",
        required: true,
        constraints: [{ custom: "magnum.cluster_template" }],
      },
      keypair: {
        type: "string",
        description:
          "The name of the SSH key pair for access to the nodes. It overrides the one in the cluster template.",
        constraints: [{ custom: "nova.keypair" }],
      },
      node_count: {
        type: "integer",
        description: "How many worker nodes the cluster has.",
        default: 1,
        updateAllowed: true,
        constraints: [{ range: { min: 1 } }],
      },
      master_count: {
        type: "integer",
        description: "How many master nodes the cluster has.",
        default: 1,
        updateAllowed: true,
        constraints: [{ range: { min: 1 } }],
      },
      discovery_url: {
        type: "string",
        description: "The URL of the discovery service through which nodes find each other.",
        updateAllowed: true,
      },
      create_timeout: {
        type: "integer",
        description: "How long creation of the cluster may take. In minutes. Zero means no limit.",
        default: 60,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
    },
    attributes: {
      api_address: {
        description: "The URL of the API of the orchestration engine.",
        type: "string",
      },
      stack_id: {
        description: "The ID of the stack that Magnum built the cluster with.",
        type: "string",
      },
      coe_version: { description: "The version of the orchestration engine.", type: "string" },
      master_addresses: { description: "The IP addresses of the master nodes.", type: "list" },
      status: { description: "The current status of the cluster.", type: "string" },
      master_count: { description: "How many master nodes the cluster has.", type: "integer" },
      node_addresses: { description: "The IP addresses of the worker nodes.", type: "list" },
      status_reason: { description: "Why the cluster has its current status.", type: "string" },
      node_count: { description: "How many worker nodes the cluster has.", type: "integer" },
      name: { description: "The name of the cluster.", type: "string" },
      container_version: {
        description: "The version of the container engine on the nodes.",
        type: "string",
      },
      discovery_url: {
        description: "The URL of the discovery service through which nodes find each other.",
        type: "string",
      },
      cluster_template_id: { description: "The ID of the cluster template.", type: "string" },
      keypair: {
        description: "The name of the SSH key pair for access to the nodes.",
        type: "string",
      },
      create_timeout: {
        description: "How long creation of the cluster may take. In minutes.",
        type: "integer",
      },
    },
  },
};
