import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { type Case, conflict, dependency, noneOf } from "../refusal-texts.ts";
import { problemOf, schemaOf } from "../world.ts";

const nic = (network: JsonObject): JsonObject => ({
  flavor: "m1",
  image: "i",
  networks: [network],
});
const disk = (device: JsonObject): JsonObject => ({
  flavor: "m1",
  block_device_mapping_v2: [device],
});
const DISK_SOURCES = conflict(
  "volume_id, snapshot_id, image, swap_size, ephemeral_size, ephemeral_format",
);

const SERVER: readonly Case[] = [
  [{ flavor: "m1", image: "i" }, null],
  [{ flavor: "m1" }, "Neither image nor bootable volume is specified for instance res"],
  [
    {
      flavor: "m1",
      block_device_mapping: [{ device_name: "vda" }],
      block_device_mapping_v2: [{ volume_id: "v" }],
    },
    conflict("block_device_mapping, block_device_mapping_v2"),
  ],
  [
    { flavor: "m1", block_device_mapping: [{ device_name: "vda" }] },
    "Either volume_id or snapshot_id must be specified for device mapping vda",
  ],
  [
    {
      flavor: "m1",
      block_device_mapping: [{ device_name: "vda", volume_id: "v", snapshot_id: "s" }],
    },
    conflict("volume_id, snapshot_id"),
  ],
  [{ flavor: "m1", block_device_mapping: [{ device_name: "vda", volume_id: "v" }] }, null],
  [
    { flavor: "m1", block_device_mapping: [{ device_name: "vdb", volume_id: "v" }] },
    "Neither image nor bootable volume is specified for instance res",
  ],
  [disk({ volume_id: "v" }), null],
  [disk({ image: "v", boot_index: 0 }), null],
  [
    disk({ image: "v", boot_index: -1 }),
    "Neither image nor bootable volume is specified for instance res",
  ],
  [disk({ volume_id: "v", swap_size: 1 }), DISK_SOURCES],
  [disk({ ephemeral_size: 1, snapshot_id: "s" }), DISK_SOURCES],
  [
    disk({ device_name: "vda" }),
    "Either volume_id, snapshot_id, image_id, swap_size, ephemeral_size or ephemeral_format must be specified.",
  ],
  [{ ...disk({ volume_id: "v" }), image: "i" }, "Multiple bootable sources for instance res."],
  [nic({ network: "n" }), null],
  [
    nic({ fixed_ip: "10.0.0.1" }),
    'One of the properties "network", "port", "allocate_network" or "subnet" should be set for the specified network of server "res".',
  ],
  [
    nic({ allocate_network: "auto", tag: "t" }),
    'Can not specify "allocate_network" with other keys of networks at the same time.',
  ],
  [nic({ port: "p", fixed_ip: "10.0.0.1" }), conflict("networks/fixed_ip, networks/port")],
  [
    nic({ network: "n", floating_ip: "f" }),
    'Property "floating_ip" is not supported if only "network" is specified, because the corresponding port can not be retrieved.',
  ],
  [nic({ network: "n", subnet: "s", floating_ip: "f" }), null],
  [
    { ...nic({}), networks: [{ allocate_network: "auto" }, { network: "n" }] },
    'Property "allocate_network" can not be specified if multiple network interfaces set for server.',
  ],
  [{ ...nic({ port: "p" }), security_groups: ["g"] }, conflict("security_groups, networks/port")],
];

describe("OS::Nova::Server", () => {
  it.each(SERVER)("%j: %s", async (given, expected) => {
    expect(await problemOf("OS::Nova::Server", given)).toBe(expected);
  });

  it("leaves the deployments in its metadata to the engine", async () => {
    const given = { flavor: "m1", image: "i", user_data_format: "SOFTWARE_CONFIG" };
    const problem = (format: string) =>
      problemOf("OS::Nova::Server", { ...given, user_data_format: format }, { deployments: [] });
    expect(await problem("RAW")).toBeNull();
    expect(await problem("SOFTWARE_CONFIG")).toBe(
      "deployments key not allowed in resource metadata with user_data_format of SOFTWARE_CONFIG",
    );
  });

  it.each(["flavor", "image", "user_data"])(
    "is replaced if the policy of %s says so",
    async (key) => {
      const { mustReplace } = await schemaOf("OS::Nova::Server");
      const policy = { [`${key}_update_policy`]: "REPLACE" };
      expect(mustReplace?.({}, policy, [key])).toBe(true);
      expect(mustReplace?.(policy, {}, [key])).toBe(true);
      expect(mustReplace?.(policy, { [`${key}_update_policy`]: "IGNORE" }, [key])).toBe(false);
      expect(mustReplace?.({}, policy, ["name"])).toBe(false);
    },
  );
});

const EIP = "AWS::EC2::EIPAssociation";

it(`${EIP} is replaced if another server gets another address`, async () => {
  const { mustReplace } = await schemaOf(EIP);
  const after = { EIP: "10.0.0.1", InstanceId: "i" };
  expect(mustReplace?.({}, after, ["EIP", "InstanceId"])).toBe(true);
  expect(mustReplace?.({}, after, ["EIP"])).toBe(false);
  expect(mustReplace?.({}, after, ["InstanceId"])).toBe(false);
  expect(mustReplace?.({}, { EIP: "10.0.0.1" }, ["EIP", "InstanceId"])).toBe(false);
});

const instance = (mapping: JsonObject): JsonObject => ({
  ImageId: "i",
  InstanceType: "m1",
  BlockDeviceMappings: [{ DeviceName: "vda", ...mapping }],
});
const health = (Interval: number): JsonObject => ({
  AvailabilityZones: ["nova"],
  Listeners: [{ InstancePort: 1, LoadBalancerPort: 2, Protocol: "HTTP" }],
  HealthCheck: { HealthyThreshold: 1, Interval, Target: "x", Timeout: 5, UnhealthyThreshold: 1 },
});

describe.each<[string, readonly Case[]]>([
  [
    EIP,
    [
      [{ EIP: "10.0.0.1", InstanceId: "i" }, null],
      [{ AllocationId: "a", NetworkInterfaceId: "n" }, null],
      [{ InstanceId: "i" }, "Either 'EIP' or 'AllocationId' must be provided."],
      [{ EIP: "10.0.0.1" }, "Must specify 'InstanceId' if you specify 'EIP'."],
      [{ AllocationId: "a" }, noneOf("InstanceId, NetworkInterfaceId")],
    ],
  ],
  [
    "AWS::EC2::Instance",
    [
      [instance({ Ebs: { SnapshotId: "s" } }), null],
      [instance({}), "Ebs is missing, this is required when specifying BlockDeviceMappings."],
      [
        instance({ Ebs: {} }),
        "SnapshotId is missing, this is required when specifying BlockDeviceMappings.",
      ],
      [
        { ImageId: "i", InstanceType: "m1", SecurityGroups: ["g"], NetworkInterfaces: ["n"] },
        conflict("SecurityGroups/SecurityGroupIds, NetworkInterfaces"),
      ],
    ],
  ],
  [
    "AWS::ElasticLoadBalancing::LoadBalancer",
    [
      [health(5), null],
      [health(4), "{'Error': 'Interval must be larger than Timeout'}"],
    ],
  ],
])("%s", (type, cases) => {
  it.each(cases)("%j: %s", async (given, expected) => {
    expect(await problemOf(type, given)).toBe(expected);
  });
});

const key = (more: JsonObject): JsonObject => ({
  type: "key",
  algorithm: "aes",
  bit_length: 8,
  ...more,
});
const binary = (more: JsonObject): JsonObject => ({
  payload_content_type: "application/octet-stream",
  payload: "YQ==",
  ...more,
});
const encoded = (payload: string): JsonObject =>
  binary({ payload, payload_content_encoding: "base64" });
const BAD_PAYLOAD =
  "Invalid payload for specified 'base64' value of 'payload_content_encoding' property.";
const TWICE = "Duplicate refs are not allowed.";

describe.each<[string, readonly Case[]]>([
  [
    "OS::Barbican::GenericContainer",
    [
      [
        {
          secrets: [
            { name: "a", ref: "1" },
            { name: "b", ref: "2" },
          ],
        },
        null,
      ],
      [
        {
          secrets: [
            { name: "a", ref: "1" },
            { name: "b", ref: "1" },
          ],
        },
        TWICE,
      ],
    ],
  ],
  [
    "OS::Barbican::RSAContainer",
    [
      [{ name: "1", private_key_ref: "1" }, null],
      [{ public_key_ref: "1", private_key_ref: "1" }, TWICE],
    ],
  ],
  ["OS::Barbican::CertificateContainer", [[{ certificate_ref: "1", private_key_ref: "1" }, TWICE]]],
  [
    "OS::Barbican::Order",
    [
      [key({}), null],
      [{ type: "key" }, "Properties algorithm and bit_length are required for key type of order."],
      [
        key({ pass_phrase: "x", ca_id: "c" }),
        "Unexpected properties: ca_id, pass_phrase. Only these properties are allowed for key type of order: algorithm, bit_length, expiration, mode, name, payload_content_type.",
      ],
      [{ type: "certificate", profile: "p" }, dependency("profile", "ca_id")],
    ],
  ],
  [
    "OS::Barbican::Secret",
    [
      [{ payload_content_type: "text/plain" }, dependency("payload_content_type", "payload")],
      [
        binary({}),
        "Property unspecified. For 'application/octet-stream' value of 'payload_content_type' property, 'payload_content_encoding' property must be specified.",
      ],
      [encoded("YQ=="), null],
      [encoded("Y\nQ=-=x"), null],
      [encoded("YQ="), BAD_PAYLOAD],
      [encoded("Y"), BAD_PAYLOAD],
      [encoded("é"), BAD_PAYLOAD],
      [
        { payload_content_encoding: "base64" },
        "ResourcePropertyValueDependency: payload_content_encoding property should only be specified for payload_content_type with value application/octet-stream.",
      ],
    ],
  ],
])("%s", (type, cases) => {
  it.each(cases)("%j: %s", async (given, expected) => {
    expect(await problemOf(type, given)).toBe(expected);
  });
});
