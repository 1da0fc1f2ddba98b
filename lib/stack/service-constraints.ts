const OF_SERVICES: Readonly<Record<string, readonly string[]>> = {
  barbican: ["container", "secret"],
  blazar: ["reservation"],
  cinder: ["backup", "qos_specs", "snapshot", "volume", "vtype"],
  designate: ["zone"],
  glance: ["image"],
  ironic: ["node", "portgroup"],
  keystone: ["domain", "group", "project", "region", "role", "service", "user"],
  magnum: ["cluster_template"],
  manila: ["share_network", "share_snapshot", "share_type"],
  mistral: ["workflow"],
  neutron: [
    "address_scope",
    "flow_classifier",
    "lbaas.listener",
    "lbaas.loadbalancer",
    "lbaas.pool",
    "lbaas.provider",
    "network",
    "port",
    "port_pair",
    "port_pair_group",
    "qos_policy",
    "router",
    "security_group",
    "segment",
    "subnet",
    "subnetpool",
    "taas.tap_flow",
    "taas.tap_service",
  ],
  nova: ["flavor", "host", "keypair", "network", "server"],
  octavia: [
    "availabilityzone",
    "availabilityzoneprofile",
    "flavor",
    "flavorprofile",
    "l7policy",
    "listener",
    "loadbalancer",
    "pool",
  ],
  trove: ["flavor"],
  zaqar: ["queue"],
};

const NAMES: ReadonlySet<string> = new Set(
  Object.entries(OF_SERVICES).flatMap(([service, kinds]) =>
    kinds.map((kind) => `${service}.${kind}`),
  ),
);

/** There is no service to ask, so these constraints accept any value. */
export const asksService = (constraint: string): boolean => NAMES.has(constraint);
