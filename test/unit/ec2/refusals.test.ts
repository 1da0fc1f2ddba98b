import { describe, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import { refuseKeyPair } from "#providers/ec2/types/key-pair.ts";
import { refuseSecurityGroup } from "#providers/ec2/types/security-group.ts";
import { refuseServer, USER_DATA_BYTES_MAX } from "#providers/ec2/types/server-refusals.ts";

const SERVER: JsonObject = { image: "fedora", flavor: "small" };
const refuse = refuseServer({ images: new Set(["fedora"]), flavors: new Set(["small"]) });
const MANY = Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`key-${at}`, "value"]));

describe("a server", () => {
  it.each<[string, JsonObject]>([
    ["image", { image: "debian" }],
    ["flavor", { flavor: "nonesuch" }],
    ["scheduler_hints", { scheduler_hints: { group: "a" } }],
    ["image", { image: "", block_device_mapping_v2: [{ image: "debian", boot_index: 0 }] }],
    [
      "block_device_mapping_v2[0].boot_index",
      { block_device_mapping_v2: [{ volume_id: "vol-1", boot_index: 0 }] },
    ],
    ["config_drive", { config_drive: true }],
    ["diskConfig", { diskConfig: "AUTO" }],
    ["reservation_id", { reservation_id: "r" }],
    ["personality", { personality: { "/a": "b" } }],
    ["admin_pass", { admin_pass: "secret" }],
    ["admin_user", { admin_user: "root" }],
    ["networks[1].floating_ip", { networks: [{ network: "a" }, { port: "p", floating_ip: "f" }] }],
    ["networks[0].tag", { networks: [{ network: "a", tag: "t" }] }],
    ["networks[0].allocate_network", { networks: [{ allocate_network: "none" }] }],
    ["networks[0].port_extra_properties", { networks: [{ port_extra_properties: { a: 1 } }] }],
    ["metadata", { metadata: { "hearth:id": "mine" } }],
    ["metadata", { metadata: { key: "x".repeat(257) } }],
    ["metadata", { metadata: MANY }],
    ["tags", { tags: ["aws:mine"] }],
    ["user_data", { user_data_format: "RAW", user_data: "x".repeat(USER_DATA_BYTES_MAX + 1) }],
    ["image_update_policy", { image_update_policy: "REBUILD_PRESERVE_EPHEMERAL" }],
    ["user_data_update_policy", { user_data_update_policy: "REBUILD" }],
  ])("is refused for %s", (property, given) => {
    const refused = refuse({ ...SERVER, ...given });
    expect(refused?.property).toBe(property);
    expect(refused?.why).not.toBe("");
  });

  it.each<[string, JsonObject]>([
    ["names of the file, and Heat's defaults", { personality: {}, block_device_mapping_v2: [] }],
    ["AWS's own names", { image: "ami-0a1b", flavor: "t3.small" }],
    ["a parameter of SSM", { image: "resolve:ssm:/aws/service/debian/12" }],
    ["values that are not known yet", { image: "", flavor: "", user_data: "" }],
    [
      "groups, a key and a zone",
      { security_groups: ["web"], key_name: "k", availability_zone: "z" },
    ],
    ["data that is packed", { user_data: "x".repeat(USER_DATA_BYTES_MAX + 1) }],
    ["metadata and tags", { metadata: { team: "one", n: 1 }, tags: ["web"] }],
  ])("is taken with %s", (_, given) => {
    expect(refuse({ ...SERVER, ...given })).toBeNull();
  });
});

describe("a key pair", () => {
  it("is refused for another user and another kind", () => {
    expect(refuseKeyPair({ user: "ada" })?.property).toBe("user");
    expect(refuseKeyPair({ type: "x509" })?.property).toBe("type");
    expect(refuseKeyPair({ name: "web", type: "ssh" })).toBeNull();
  });
});

describe("a security group", () => {
  it("is refused for texts that EC2 does not take", () => {
    expect(refuseSecurityGroup({ name: "größe" })?.property).toBe("name");
    expect(refuseSecurityGroup({ name: "sg-web" })?.property).toBe("name");
    expect(refuseSecurityGroup({ description: "x".repeat(241) })?.property).toBe("description");
    expect(refuseSecurityGroup({ name: "the_sg", description: "Ping and SSH" })).toBeNull();
  });
});
