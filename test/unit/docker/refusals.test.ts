import { describe, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { refuseVolume } from "#providers/docker/types/cinder-volume.ts";
import { refuseKeyPair } from "#providers/docker/types/key-pair.ts";
import { refuseNet } from "#providers/docker/types/net.ts";
import { refusePort } from "#providers/docker/types/port.ts";
import { flavorOf, refuseServer } from "#providers/docker/types/server-refusals.ts";
import { refuseSubnet } from "#providers/docker/types/subnet.ts";

const SERVER: JsonObject = { image: "debian:12", flavor: "m1.small" };

describe("a server", () => {
  it.each<[string, JsonObject]>([
    ["availability_zone", { availability_zone: "nova" }],
    ["scheduler_hints", { scheduler_hints: { group: "a" } }],
    ["block_device_mapping", { block_device_mapping: [{ device_name: "vdb" }] }],
    ["config_drive", { config_drive: true }],
    ["diskConfig", { diskConfig: "AUTO" }],
    ["reservation_id", { reservation_id: "r" }],
    ["personality", { personality: { "/a": "b" } }],
    ["admin_pass", { admin_pass: "secret" }],
    ["admin_user", { admin_user: "root" }],
    ["flavor", { flavor: "nonesuch" }],
    ["security_groups", { security_groups: ["default", "web"] }],
    ["networks[1].floating_ip", { networks: [{ network: "a" }, { port: "p", floating_ip: "f" }] }],
    ["networks[0].tag", { networks: [{ network: "a", tag: "t" }] }],
    ["networks[0].network", { networks: [{ network: "host" }] }],
    ["networks[0].allocate_network", { networks: [{ allocate_network: "auto" }] }],
    ["networks[0].port_extra_properties", { networks: [{ port_extra_properties: { a: 1 } }] }],
    ["block_device_mapping_v2[0].swap_size", { block_device_mapping_v2: [{ swap_size: 1 }] }],
    ["block_device_mapping_v2[0].image", { block_device_mapping_v2: [{ image: "a" }] }],
    ["image_update_policy", { image_update_policy: "REBUILD_PRESERVE_EPHEMERAL" }],
  ])("is refused for %s", (property, given) => {
    const refused = refuseServer({ ...SERVER, ...given });
    expect(refused?.property).toBe(property);
    expect(refused?.why).not.toBe("");
  });

  it("is taken with all that is honoured, with Heat's defaults, and with what is not known yet", () => {
    const given: JsonObject = {
      ...SERVER,
      flavor: "",
      personality: {},
      scheduler_hints: null,
      security_groups: ["default"],
      config_drive: false,
      key_name: "mine",
      networks: [{ network: "", fixed_ip: "10.0.0.5" }, { allocate_network: "none" }],
      block_device_mapping_v2: [{ volume_id: "", device_name: "vdb", boot_index: -1 }],
      user_data: "#!/bin/sh\n",
      metadata: { a: "b" },
    };
    expect(refuseServer(given)).toBeNull();
  });
});

describe("the types around a server", () => {
  it.each<[string, typeof refuseServer, JsonObject]>([
    ["type", refuseKeyPair, { name: "a", type: "x509" }],
    ["user", refuseKeyPair, { name: "a", user: "me" }],
    ["admin_state_up", refuseNet, { admin_state_up: false }],
    ["shared", refuseNet, { shared: true }],
    ["cidr", refuseSubnet, { cidr: "fd00::/64" }],
    ["gateway_ip", refuseSubnet, { cidr: "10.0.0.0/24", gateway_ip: "10.0.1.1" }],
    ["gateway_ip", refuseSubnet, { cidr: "10.0.0.0/24", gateway_ip: "" }],
    ["ip_version", refuseSubnet, { cidr: "10.0.0.0/24", ip_version: 6 }],
    ["enable_dhcp", refuseSubnet, { cidr: "10.0.0.0/24", enable_dhcp: false }],
    ["allocation_pools", refuseSubnet, { allocation_pools: [{ start: "a", end: "b" }] }],
    ["fixed_ips", refusePort, { fixed_ips: [{ ip_address: "a" }, { ip_address: "b" }] }],
    ["security_groups", refusePort, { security_groups: ["web"] }],
    ["mac_address", refusePort, { mac_address: "02:00:00:00:00:01" }],
    ["binding:vnic_type", refusePort, { "binding:vnic_type": "direct" }],
    ["image", refuseVolume, { size: 1, image: "cirros" }],
    ["snapshot_id", refuseVolume, { size: 1, snapshot_id: "s" }],
  ])("are refused for %s", (property, refuse, given) => {
    expect(refuse(given)?.property).toBe(property);
  });

  it("are taken with what is honoured", () => {
    expect(refuseKeyPair({ name: "a", public_key: "ssh-rsa A", type: "ssh" })).toBeNull();
    expect(refuseNet({ name: "front", admin_state_up: true, value_specs: {} })).toBeNull();
    expect(refuseSubnet({ cidr: "10.0.0.0/24", gateway_ip: "10.0.0.9" })).toBeNull();
    expect(refusePort({ fixed_ips: [{ ip_address: "10.0.0.9" }] })).toBeNull();
    expect(refuseVolume({ size: 1, metadata: {} })).toBeNull();
  });
});

describe("a flavor", () => {
  it.each([
    ["m1.tiny", { processors: 1, memoryBytes: 536_870_912 }],
    ["2c-1g", { processors: 2, memoryBytes: 1_073_741_824 }],
    ["1c-64m", { processors: 1, memoryBytes: 67_108_864 }],
  ])("%s is a size", (name, wanted) => {
    expect(flavorOf(name)).toEqual(wanted);
  });

  it.each(["0c-1g", "1c-5m", "m1", "1c-1t", "toString"])("%s is none", (name) => {
    expect(flavorOf(name)).toBeNull();
  });
});
