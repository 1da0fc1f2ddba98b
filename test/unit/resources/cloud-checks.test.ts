import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { problemOf, schemaOf } from "./world.ts";

const conflict = (names: string): string =>
  `ResourcePropertyConflict: Cannot define the following properties at the same time: ${names}.`;
const noneOf = (names: string): string =>
  `PropertyUnspecifiedError: At least one of the following properties must be specified: ${names}.`;
const dependency = (name: string, other: string): string =>
  `ResourcePropertyDependency: ${name} cannot be specified without ${other}.`;

type Case = readonly [JsonObject, string | null];

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

const role = (more: JsonObject): JsonObject => ({ roles: [{ role: "admin", ...more }] });
const ROLES: readonly Case[] = [
  [role({ project: "p" }), null],
  [role({ project: "p", domain: "d" }), conflict("project, domain")],
  [role({}), "Either project or domain must be specified for role admin"],
];
const rolesOf = (owner: JsonObject): readonly Case[] =>
  ROLES.map(([given, expected]) => [{ ...owner, ...given }, expected]);

const image = (more: JsonObject): JsonObject => ({
  disk_format: "raw",
  container_format: "bare",
  location: "http://x",
  ...more,
});

describe.each<[string, readonly Case[]]>([
  ["OS::Keystone::Group", rolesOf({})],
  ["OS::Keystone::User", rolesOf({})],
  ["OS::Keystone::GroupRoleAssignment", rolesOf({ group: "g" })],
  ["OS::Keystone::UserRoleAssignment", rolesOf({ user: "u" })],
  [
    "OS::Cinder::Quota",
    [
      [{ project: "p", volumes: 1 }, null],
      [{ project: "p" }, noneOf("gigabytes, snapshots, volumes, backups, backup_gigabytes")],
    ],
  ],
  [
    "OS::Cinder::Volume",
    [
      [{ size: 1 }, null],
      [{ snapshot_id: "s" }, null],
      [{ backup_id: "b" }, null],
      [
        { image: "i" },
        'If neither "backup_id" nor "size" is provided, one and only one of "source_volid", "snapshot_id" must be specified, but currently specified options: [\'image\'].',
      ],
      [
        { size: 1, image: "i", snapshot_id: "s" },
        'If "size" is provided, only one of "image", "imageRef", "source_volid", "snapshot_id" can be specified, but currently specified options: [\'snapshot_id\', \'image\'].',
      ],
    ],
  ],
  [
    "OS::Cinder::VolumeType",
    [
      [{ name: "n", projects: ["p"], is_public: false }, null],
      [
        { name: "n", projects: ["p"] },
        'Can not specify property "projects" if the volume type is public.',
      ],
    ],
  ],
  [
    "OS::Designate::Zone",
    [
      [{ name: "n" }, "Property email is required for zone type PRIMARY"],
      [{ name: "n", type: "SECONDARY" }, "Property masters is required for zone type SECONDARY"],
      [{ name: "n", type: "SECONDARY", primaries: ["10.0.0.1"] }, null],
    ],
  ],
  [
    "OS::Glance::WebImage",
    [
      [image({}), null],
      [
        image({ container_format: "ami" }),
        "Invalid mix of disk and container formats. When setting a disk or container format to one of 'aki', 'ari', or 'ami', the container and disk formats must match.",
      ],
      [image({ visibility: "shared", members: ["m"] }), null],
      [
        image({ members: ["m"] }),
        "ResourcePropertyValueDependency: members property should only be specified for visibility with value shared.",
      ],
    ],
  ],
])("%s", (type, cases) => {
  it.each(cases)("%j: %s", async (given, expected) => {
    expect(await problemOf(type, given)).toBe(expected);
  });
});

const cluster = (more: JsonObject): JsonObject => ({
  image: "i",
  external_network: "n",
  coe: "swarm",
  ...more,
});
const DRIVERS: readonly Case[] = [
  [cluster({ volume_driver: "rexray" }), null],
  [
    cluster({ volume_driver: "cinder" }),
    "Volume driver type cinder is not supported by COE:swarm, expecting a ['rexray'] volume driver.",
  ],
];
const task = (more: JsonObject, type = "direct"): JsonObject => ({
  type,
  params: { task_name: "t" },
  tasks: [{ name: "t", action: "std.noop", ...more }],
});
const database = (more: JsonObject): JsonObject => ({ flavor: "f", size: 1, ...more });
const clusterOf = (network: JsonObject): JsonObject => ({
  datastore_type: "t",
  datastore_version: "v",
  instances: [{ flavor: "f", volume_size: 1, networks: [network] }],
});
const user = { name: "ab", password: "ab", databases: ["aa", "bb"] };
const EITHER = "Either network or port must be provided.";

describe.each<[string, readonly Case[]]>([
  ["OS::Magnum::ClusterTemplate", DRIVERS],
  ["OS::Magnum::BayModel", DRIVERS],
  [
    "OS::Manila::ShareNetwork",
    [
      [{ nova_network: "n" }, "Nova network is no longer supported"],
      [{ neutron_network: "n" }, dependency("neutron_network", "neutron_subnet")],
      [{ neutron_network: "n", neutron_subnet: "s" }, null],
    ],
  ],
  ["OS::Mistral::CronTrigger", [[{ workflow: { name: "w" } }, noneOf("pattern, first_time")]]],
  [
    "OS::Mistral::Workflow",
    [
      [task({}), null],
      [
        { ...task({}, "reverse"), params: {} },
        "Mistral resource validation error: res.properties.params: 'task_name' is not assigned in 'params' in case of reverse type workflow.",
      ],
      [task({ workflow: "w" }), conflict("workflow, action")],
      [task({ action: "" }), noneOf("workflow, action")],
      [task({ requires: [] }, "reverse"), null],
      [
        task({ requires: [], name: "5" }),
        "Mistral resource validation error: res.properties.tasks[5].requires: task 5 contains property 'requires' in case of direct workflow. Only reverse workflows can contain property 'requires'.",
      ],
      [task({ concurrency: 1 }), dependency("concurrency", "with_items")],
      [task({ policies: { concurrency: 1 } }), dependency("concurrency", "with_items")],
      [task({ concurrency: 1, with_items: "i" }), null],
    ],
  ],
  [
    "OS::Nova::Quota",
    [
      [
        { project: "p" },
        noneOf(
          "cores, fixed_ips, floating_ips, injected_file_content_bytes, injected_file_path_bytes, injected_files, instances, key_pairs, metadata_items, ram, security_group_rules, security_groups, server_group_members, server_groups",
        ),
      ],
      [{ project: "p", ram: 1 }, null],
    ],
  ],
  [
    "OS::Trove::Cluster",
    [
      [clusterOf({ network: "n" }), null],
      [clusterOf({}), EITHER],
      [clusterOf({ network: "n", port: "p" }), conflict("network, port")],
      [
        { ...clusterOf({ port: "p" }), datastore_type: "" },
        "Not allowed - datastore_version without datastore_type.",
      ],
    ],
  ],
  [
    "OS::Trove::Instance",
    [
      [database({ networks: [{ port: "p" }] }), null],
      [database({ networks: [{ port: "p", network: "n" }] }), EITHER],
      [
        database({ datastore_version: "v" }),
        "Not allowed - datastore_version without datastore_type.",
      ],
      [
        database({ users: [user] }),
        "Databases property is required if users property is provided for resource res.",
      ],
      [
        database({ users: [user], databases: [{ name: "aa" }] }),
        "Database ['bb'] specified for user does not exist in databases for resource res.",
      ],
    ],
  ],
  [
    "OS::Zaqar::Subscription",
    [
      [{ queue_name: "q", subscriber: "trust+https://x" }, null],
      [
        { queue_name: "q", subscriber: "ftp://x" },
        "The subscriber type of must be one of: http, https, mailto, trust+http, trust+https.",
      ],
    ],
  ],
  [
    "OS::Zun::Container",
    [
      [{ image: "i", restart_policy: "on-failure:3" }, null],
      [
        { image: "i", restart_policy: "always:3" },
        'restart_policy "always:3" is invalid. Valid values are "no", "on-failure[:max-retry]", "always", and "unless-stopped".',
      ],
      [
        { image: "i", mounts: [{ mount_path: "p" }] },
        'One of the properties "volume_id" or "volume_size" should be set for the specified mount of container "res".',
      ],
      [
        { image: "i", mounts: [{ mount_path: "p", volume_id: "v", volume_size: 1 }] },
        conflict("networks/volume_id, networks/volume_size"),
      ],
      [{ image: "i", networks: [{}] }, noneOf("network, port")],
      [
        { image: "i", networks: [{ port: "p", fixed_ip: "10.0.0.1" }] },
        conflict("networks.fixed_ip, networks.port"),
      ],
    ],
  ],
])("%s", (type, cases) => {
  it.each(cases)("%j: %s", async (given, expected) => {
    expect(await problemOf(type, given)).toBe(expected);
  });
});
