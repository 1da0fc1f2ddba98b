/** The properties of a cluster template, which had another name once. */
import type { PropertySchemas } from "#lib/model/property-schema.ts";

export const TEMPLATE_PROPERTIES = {
  name: { type: "string", description: "The name of the cluster template." },
  image: {
    type: "string",
    description: "The Glance image that the nodes boot from, by name or ID.",
    required: true,
    constraints: [{ custom: "glance.image" }],
  },
  flavor: {
    type: "string",
    description: "The Nova flavor of the worker nodes, by name or ID.",
    constraints: [{ custom: "nova.flavor" }],
  },
  master_flavor: {
    type: "string",
    description: "The Nova flavor of the master nodes, by name or ID.",
    constraints: [{ custom: "nova.flavor" }],
  },
  keypair: {
    type: "string",
    description: "The name of the SSH key pair for access to the nodes.",
    constraints: [{ custom: "nova.keypair" }],
  },
  external_network: {
    type: "string",
    description: "The external network that connects the cluster to the outside, by name or ID.",
    required: true,
    constraints: [{ custom: "neutron.network" }],
  },
  fixed_network: {
    type: "string",
    description: "The private network of the nodes, by name or ID.",
    constraints: [{ custom: "neutron.network" }],
  },
  fixed_subnet: {
    type: "string",
    description: "The private subnet of the nodes, by name or ID.",
    constraints: [{ custom: "neutron.subnet" }],
  },
  dns_nameserver: {
    type: "string",
    description: "The IP address of the DNS server that the nodes use.",
    constraints: [{ custom: "ip_addr" }],
  },
  docker_volume_size: {
    type: "integer",
    description: "The size of the volume for Docker storage on each node. In gigabytes.",
    constraints: [{ range: { min: 1 } }],
  },
  docker_storage_driver: {
    type: "string",
    description: "The driver that Docker uses to store images and containers.",
    default: "devicemapper",
    constraints: [{ allowedValues: ["devicemapper", "overlay"] }],
  },
  coe: {
    type: "string",
    description: "The container orchestration engine that the cluster runs.",
    required: true,
    constraints: [{ allowedValues: ["kubernetes", "swarm", "mesos"] }],
  },
  network_driver: {
    type: "string",
    description: "The driver that provides networks to containers.",
  },
  volume_driver: {
    type: "string",
    description: "The driver that provides volumes to containers.",
    constraints: [{ allowedValues: ["cinder", "rexray"] }],
  },
  http_proxy: {
    type: "string",
    description: "The address of the proxy that nodes use for HTTP.",
  },
  https_proxy: {
    type: "string",
    description: "The address of the proxy that nodes use for HTTPS.",
  },
  no_proxy: {
    type: "string",
    description: "The addresses that nodes reach without a proxy, separated by commas.",
  },
  labels: { type: "map", description: "Key-value pairs that set options of the cluster." },
  tls_disabled: {
    type: "boolean",
    description: "Whether the cluster works without TLS.",
    default: false,
  },
  public: {
    type: "boolean",
    description:
      "Whether all projects can use the cluster template. Usually only an administrator may set it.",
    default: false,
    updateAllowed: true,
  },
  registry_enabled: {
    type: "boolean",
    description: "Whether the cluster has its own Docker registry.",
    default: false,
  },
  server_type: {
    type: "string",
    description: "The kind of server that the nodes run on.",
    default: "vm",
    constraints: [{ allowedValues: ["vm", "bm"] }],
  },
  master_lb_enabled: {
    type: "boolean",
    description: "Whether a load balancer stands in front of the master nodes.",
    default: true,
  },
  floating_ip_enabled: {
    type: "boolean",
    description: "Whether the nodes get floating IP addresses.",
    default: true,
  },
} satisfies PropertySchemas;
