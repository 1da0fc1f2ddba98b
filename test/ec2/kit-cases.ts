import type { JsonObject } from "#provider/provider.ts";
import { type Fixtures, VPC_RANGE } from "./fixtures.ts";

export interface KitCase {
  readonly type: string;
  readonly properties: JsonObject;
  readonly changed?: JsonObject;
  readonly replacement?: JsonObject;
  readonly failing?: JsonObject;
}

const SERVER: JsonObject = { image: "fedora", flavor: "small", user_data: "#!/bin/sh\n" };
const SSH = { protocol: "tcp", port_range_min: 22, port_range_max: 22 };

const servers = ({ subnet, ports, volume }: Fixtures): readonly KitCase[] => {
  const networks = [{ subnet }, { port: ports[0] }, { subnet }];
  const onSubnet: JsonObject = { ...SERVER, networks };
  const moved = [{ subnet }, { subnet, fixed_ip: `${VPC_RANGE}.64.77` }, { port: ports[1] }];
  return [
    {
      type: "OS::Nova::KeyPair",
      properties: { name: "one", save_private_key: true },
      replacement: { name: "two" },
      failing: { name: "three", type: "x509" },
    },
    {
      type: "OS::Neutron::SecurityGroup",
      properties: { rules: [{ protocol: "icmp" }, SSH] },
      changed: { rules: [SSH, { direction: "egress", remote_mode: "remote_group_id" }] },
      failing: { rules: [{ remote_mode: "remote_group_id", remote_group_id: "nobody" }] },
    },
    {
      type: "OS::Nova::Server",
      properties: {
        ...onSubnet,
        block_device_mapping_v2: [{ volume_id: volume, boot_index: -1 }],
      },
      changed: {
        ...SERVER,
        networks: moved,
        flavor: "large",
        metadata: { team: "one" },
        tags: ["web"],
      },
      replacement: {
        ...SERVER,
        image: "",
        block_device_mapping_v2: [{ image: "fedora", boot_index: 0, volume_size: 20 }],
      },
      failing: { ...SERVER, networks: [{ network: "nobody" }] },
    },
  ];
};

const networks = ({ net, subnet, router, ports, address }: Fixtures): readonly KitCase[] => {
  const port: JsonObject = { network: net, name: "one", fixed_ips: [{ subnet }] };
  const floating: JsonObject = { floating_network: "public", port_id: ports[0] };
  return [
    {
      type: "OS::Neutron::Net",
      properties: { name: "one" },
      changed: { name: "two", tags: ["web"] },
      replacement: { name: "one" },
      failing: { shared: true },
    },
    {
      type: "OS::Neutron::Subnet",
      properties: { network: net, name: "one", cidr: `${VPC_RANGE}.65.0/24` },
      changed: { network: net, name: "two", cidr: `${VPC_RANGE}.65.0/24`, tags: ["web"] },
      replacement: { network: net, name: "one", cidr: `${VPC_RANGE}.66.0/24` },
      failing: { network: net, cidr: "10.1.0.0/24" },
    },
    {
      type: "OS::Neutron::Port",
      properties: port,
      changed: { ...port, name: "two", tags: ["web"], security_groups: ["default"] },
      replacement: { network: net, name: "one" },
      failing: { network: "nobody" },
    },
    {
      type: "OS::Neutron::Router",
      properties: { name: "one", external_gateway_info: { network: "public" } },
      changed: { name: "two", tags: ["web"] },
      failing: { external_gateway_info: { network: "public", enable_snat: true } },
    },
    {
      type: "OS::Neutron::RouterInterface",
      properties: { router, subnet },
      failing: { router: "nobody", subnet },
    },
    {
      type: "OS::Neutron::FloatingIP",
      properties: floating,
      changed: { ...floating, port_id: ports[1] },
      replacement: { floating_network: "public" },
      failing: { floating_network: "public", floating_ip_address: "203.0.113.9" },
    },
    {
      type: "OS::Neutron::FloatingIPAssociation",
      properties: { floatingip_id: address, port_id: ports[0] },
      changed: { floatingip_id: address, port_id: ports[1] },
      failing: { floatingip_id: address, port_id: "eni-00000000" },
    },
  ];
};

const volumes = ({ servers: [one, two], volume }: Fixtures): readonly KitCase[] => {
  const attached: JsonObject = { instance_uuid: one, volume_id: volume, mountpoint: "/dev/vdc" };
  return [
    {
      type: "OS::Cinder::Volume",
      properties: { name: "one", size: 1 },
      changed: { name: "two", size: 2, volume_type: "gp3", metadata: { team: "one" } },
      failing: { size: 1, snapshot_id: "snap-00000000" },
    },
    {
      type: "OS::Cinder::VolumeAttachment",
      properties: attached,
      changed: { ...attached, instance_uuid: two, mountpoint: "/dev/vdd" },
      failing: { ...attached, volume_id: "vol-00000000" },
    },
  ];
};

export const kitCases = (fixtures: Fixtures): readonly KitCase[] => [
  ...servers(fixtures),
  ...networks(fixtures),
  ...volumes(fixtures),
];
