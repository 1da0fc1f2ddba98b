import { describe, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { idOf } from "#providers/object-names.ts";
import { refuseVolume } from "#providers/openstack/cinder/volume.ts";
import { marked, refuseLongDescription } from "#providers/openstack/marks.ts";
import { refuseNet, refuseSubnet } from "#providers/openstack/neutron/net.ts";
import { refusePort } from "#providers/openstack/neutron/port.ts";
import { refuseRouter } from "#providers/openstack/neutron/router.ts";
import { refuseKeyPair } from "#providers/openstack/nova/key-pair.ts";
import { refuseServer } from "#providers/openstack/nova/server-refusals.ts";

const SERVER: JsonObject = { image: "cirros", flavor: "m1.tiny" };

describe("a server", () => {
  it.each<[string, JsonObject]>([
    ["block_device_mapping", { block_device_mapping: [{ device_name: "vdb" }] }],
    ["reservation_id", { reservation_id: "r" }],
    ["personality", { personality: { "/a": "b" } }],
    ["admin_pass", { admin_pass: "secret" }],
    ["admin_user", { admin_user: "root" }],
    ["networks[1].floating_ip", { networks: [{ network: "a" }, { port: "p", floating_ip: "f" }] }],
    ["networks[0].subnet", { networks: [{ network: "a", subnet: "s" }] }],
    ["networks[0].port_extra_properties", { networks: [{ port_extra_properties: { a: 1 } }] }],
    [
      "networks[1].allocate_network",
      { networks: [{ network: "a" }, { allocate_network: "auto" }] },
    ],
    ["block_device_mapping_v2[0].volume_type", { block_device_mapping_v2: [{ volume_type: "t" }] }],
    ["tags", { tags: ["web", "hearth-0c5a"] }],
    ["metadata", { metadata: { hearth_id: "0c5a" } }],
    ["image_update_policy", { image_update_policy: "REBUILD_PRESERVE_EPHEMERAL" }],
    ["user_data_update_policy", { user_data_update_policy: "REBUILD" }],
    ["software_config_transport", { software_config_transport: "ZAQAR_MESSAGE" }],
    ["software_config_transport", { software_config_transport: "POLL_TEMP_URL" }],
  ])("is refused for %s", (property, given) => {
    const refused = refuseServer({ ...SERVER, ...given });
    expect(refused?.property).toBe(property);
    expect(refused?.why).not.toBe("");
  });

  it("is taken with all that is honoured, with Heat's defaults, and with what is not known yet", () => {
    const given: JsonObject = {
      ...SERVER,
      personality: {},
      availability_zone: "nova",
      scheduler_hints: { group: "g" },
      config_drive: true,
      diskConfig: "AUTO",
      key_name: "mine",
      security_groups: ["web"],
      networks: [{ network: "", fixed_ip: "10.0.0.5", tag: "t" }, { port: "p" }],
      block_device_mapping_v2: [{ image: "a", volume_size: 1, boot_index: 0 }, { swap_size: 1 }],
      software_config_transport: "POLL_SERVER_HEAT",
    };
    expect(refuseServer(given)).toBeNull();
    expect(refuseServer({ ...SERVER, networks: [{ allocate_network: "none" }] })).toBeNull();
  });
});

describe("the types around a server", () => {
  it.each<[string, typeof refuseServer, JsonObject]>([
    ["type", refuseKeyPair, { name: "a", type: "x509" }],
    ["user", refuseKeyPair, { name: "a", user: "me" }],
    ["tenant_id", refuseNet, { tenant_id: "t" }],
    ["dhcp_agent_ids", refuseNet, { dhcp_agent_ids: ["a"] }],
    ["qos_policy", refuseNet, { qos_policy: "q" }],
    ["tenant_id", refuseSubnet, { tenant_id: "t" }],
    ["segment", refuseSubnet, { segment: "s" }],
    ["qos_policy", refusePort, { qos_policy: "q" }],
    ["tenant_id", refuseRouter, { tenant_id: "t" }],
    ["l3_agent_id", refuseRouter, { l3_agent_id: "a" }],
    ["l3_agent_ids", refuseRouter, { l3_agent_ids: ["a"] }],
    ["description", refuseLongDescription, { description: "a".repeat(210) }],
    ["backup_id", refuseVolume, { backup_id: "b" }],
    ["metadata", refuseVolume, { size: 1, metadata: { hearth_stack: "other" } }],
    ["read_only", refuseVolume, { size: 1, read_only: true }],
    ["multiattach", refuseVolume, { size: 1, multiattach: true }],
  ])("are refused for %s", (property, refuse, given) => {
    expect(refuse(given)?.property).toBe(property);
  });

  it("are taken with what is honoured", () => {
    expect(refuseKeyPair({ name: "a", public_key: "ssh-rsa A", type: "ssh" })).toBeNull();
    expect(refuseNet({ name: "front", shared: true, value_specs: { mtu: 1_400 } })).toBeNull();
    expect(refuseSubnet({ cidr: "fd00::/64", ip_version: 6, subnetpool: "p" })).toBeNull();
    expect(refusePort({ fixed_ips: [{ ip_address: "10.0.0.9" }], mac_address: "m" })).toBeNull();
    expect(refuseRouter({ external_gateway_info: { network: "public" } })).toBeNull();
    const description = "a".repeat(209);
    expect(refuseLongDescription({ description })).toBeNull();
    expect(marked(description, idOf("token"))).toHaveLength(255);
    expect(refuseVolume({ size: 1, image: "cirros", metadata: {} })).toBeNull();
  });
});
