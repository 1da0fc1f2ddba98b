import { describe, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { refuseFloatingIp } from "#providers/ec2/types/floating-ip.ts";
import { refuseNet } from "#providers/ec2/types/net.ts";
import { refusePort } from "#providers/ec2/types/port.ts";
import { refuseRouter } from "#providers/ec2/types/router.ts";
import { refuseRouterInterface } from "#providers/ec2/types/router-interface.ts";
import { refuseDisks } from "#providers/ec2/types/server-disks.ts";
import { refuseSubnet } from "#providers/ec2/types/subnet.ts";
import { refuseVolume } from "#providers/ec2/types/volume.ts";
import { refuseVolumeAttachment } from "#providers/ec2/types/volume-attachment.ts";
import type { Refuse } from "#providers/server-provider.ts";

const CIDR = "10.0.0.0/24";
const disk = (given: JsonObject): JsonObject => ({
  block_device_mapping_v2: [{ boot_index: -1, ...given }],
});
const DISK = "block_device_mapping_v2[0]";
const INFO = "external_gateway_info";

describe("what EC2 cannot do", () => {
  it.each<[string, Refuse, JsonObject]>([
    ["shared", refuseNet, { shared: true }],
    ["admin_state_up", refuseNet, { admin_state_up: false }],
    ["port_security_enabled", refuseNet, { port_security_enabled: false }],
    ["qos_policy", refuseNet, { qos_policy: "fast" }],
    ["tags", refuseNet, { tags: ["hearth:kind"] }],
    ["cidr", refuseSubnet, { cidr: "10.0.0.0/8" }],
    ["cidr", refuseSubnet, { cidr: "10.0.0.0/30" }],
    ["cidr", refuseSubnet, { cidr: "fd00::/64" }],
    ["gateway_ip", refuseSubnet, { cidr: CIDR, gateway_ip: "10.0.0.254" }],
    ["gateway_ip", refuseSubnet, { cidr: CIDR, gateway_ip: "" }],
    [
      "allocation_pools",
      refuseSubnet,
      { cidr: CIDR, allocation_pools: [{ start: "10.0.0.100", end: "10.0.0.200" }] },
    ],
    ["enable_dhcp", refuseSubnet, { enable_dhcp: false }],
    ["ip_version", refuseSubnet, { ip_version: 6 }],
    ["dns_nameservers", refuseSubnet, { dns_nameservers: ["192.0.2.1"] }],
    ["subnetpool", refuseSubnet, { subnetpool: "pool" }],
    ["fixed_ips", refusePort, { fixed_ips: [{}, {}] }],
    ["mac_address", refusePort, { mac_address: "02:00:00:00:00:01" }],
    ["binding:vnic_type", refusePort, { "binding:vnic_type": "direct" }],
    ["allowed_address_pairs", refusePort, { allowed_address_pairs: [{ ip_address: "::" }] }],
    [`${INFO}.enable_snat`, refuseRouter, { [INFO]: { network: "public", enable_snat: true } }],
    ["ha", refuseRouter, { ha: false }],
    ["port", refuseRouterInterface, { router: "r", port: "p" }],
    ["floating_ip_address", refuseFloatingIp, { floating_ip_address: "203.0.113.9" }],
    ["image", refuseVolume, { image: "fedora" }],
    ["volume_type", refuseVolume, { volume_type: "io2" }],
    ["metadata", refuseVolume, { metadata: { "aws:team": "one" } }],
    ["mountpoint", refuseVolumeAttachment, { mountpoint: "/mnt" }],
    ["mountpoint", refuseVolumeAttachment, { mountpoint: "/dev/vda" }],
    [`${DISK}.boot_index`, refuseDisks, disk({ volume_id: "vol-1", boot_index: 0 })],
    [`${DISK}.image`, refuseDisks, disk({ image: "fedora" })],
    [`${DISK}.swap_size`, refuseDisks, disk({ swap_size: 512 })],
    [`${DISK}.ephemeral_size`, refuseDisks, disk({ ephemeral_size: 1 })],
    [`${DISK}.disk_bus`, refuseDisks, disk({ volume_id: "vol-1", disk_bus: "virtio" })],
    [`${DISK}.device_type`, refuseDisks, disk({ snapshot_id: "snap-1", device_type: "cdrom" })],
    [`${DISK}.device_name`, refuseDisks, disk({ volume_id: "vol-1", device_name: "hda" })],
    [
      `${DISK}.delete_on_termination`,
      refuseDisks,
      disk({ volume_id: "vol-1", delete_on_termination: true }),
    ],
    [
      "block_device_mapping[0].device_name",
      refuseDisks,
      { block_device_mapping: [{ device_name: "vda", volume_id: "vol-1" }] },
    ],
  ])("is refused as %s", (property, refuse, given) => {
    const refused = refuse(given);
    expect(refused?.property).toBe(property);
    expect(refused?.why).not.toBe("");
  });
});

describe("what EC2 can do", () => {
  it.each<[string, Refuse, JsonObject]>([
    ["a net", refuseNet, { name: "one", admin_state_up: true, tags: ["web"] }],
    [
      "a subnet as EC2 has it",
      refuseSubnet,
      {
        cidr: CIDR,
        gateway_ip: "10.0.0.1",
        allocation_pools: [{ start: "10.0.0.2", end: "10.0.0.254" }],
        dns_nameservers: [],
      },
    ],
    ["a subnet whose range is not known yet", refuseSubnet, { cidr: "" }],
    ["a port", refusePort, { network: "n", fixed_ips: [{ subnet: "s", ip_address: "10.0.0.9" }] }],
    ["a router", refuseRouter, { ha: true, [INFO]: { network: "public", enable_snat: false } }],
    ["an interface", refuseRouterInterface, { router: "r", subnet: "s" }],
    ["a floating IP", refuseFloatingIp, { floating_network: "public", port_id: "p" }],
    ["a volume", refuseVolume, { size: 1, volume_type: "gp3", metadata: { team: "one" } }],
    ["an attachment", refuseVolumeAttachment, { mountpoint: "/dev/vdb" }],
    ["a volume of a server", refuseDisks, disk({ volume_id: "vol-1", device_name: "vdb" })],
    ["a disk of a snapshot", refuseDisks, disk({ snapshot_id: "s", delete_on_termination: true })],
    [
      "the size of an image's disk",
      refuseDisks,
      disk({ image: "f", boot_index: 0, device_name: "vda" }),
    ],
  ])("takes %s", (_, refuse, given) => {
    expect(refuse(given)).toBeNull();
  });
});
