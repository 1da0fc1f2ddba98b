import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { type Case, conflict, dependency, noneOf } from "../refusal-texts.ts";
import { problemOf } from "../world.ts";

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
