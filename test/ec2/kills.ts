/**
 * EC2's endpoint and a host, killed at random moments. moto itself keeps running with its objects.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "#lib/json.ts";
import { ROLE } from "../cloud-control/provider-at.ts";
import { startFront } from "../kills/front.ts";
import { type Killed, playKills } from "../kills/kills.ts";
import { leftOver } from "./made-objects.ts";
import { environmentFor, type Place, SETTINGS } from "./provider-play.ts";

const KILL_MS_MAX = 1_500;
/** An attachment is not counted: it exists as long as the volume and the server. */
const OBJECTS = 8;

const server = (given: JsonObject): JsonObject => ({
  type: "OS::Nova::Server",
  properties: {
    image: "fedora",
    user_data_format: "RAW",
    key_name: { get_resource: "key" },
    ...given,
  },
});

const SUBNET = { get_resource: "subnet" };
const BEFORE: Json = [{ subnet: SUBNET }, { port: { get_resource: "port" } }];
const AFTER: Json = [{ subnet: SUBNET }, { subnet: SUBNET, fixed_ip: "172.31.81.77" }];

const templateOf = (flavor: string, text: string, networks: Json): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    key: { type: "OS::Nova::KeyPair", properties: { name: "killed", save_private_key: true } },
    group: { type: "OS::Neutron::SecurityGroup", properties: { rules: [{ protocol: "icmp" }] } },
    net: { type: "OS::Neutron::Net", properties: { name: "killed" } },
    subnet: {
      type: "OS::Neutron::Subnet",
      properties: { network: { get_resource: "net" }, cidr: "172.31.81.0/24" },
    },
    port: {
      type: "OS::Neutron::Port",
      properties: {
        network: { get_resource: "net" },
        fixed_ips: [{ subnet: { get_resource: "subnet" } }],
      },
    },
    volume: { type: "OS::Cinder::Volume", properties: { size: 1 } },
    disk: {
      type: "OS::Cinder::VolumeAttachment",
      properties: {
        instance_uuid: { get_resource: "kept" },
        volume_id: { get_resource: "volume" },
      },
    },
    kept: server({ flavor, user_data: "#!/bin/sh\n", networks }),
    replaced: server({
      flavor: "small",
      user_data: `#!/bin/sh\necho ${text}\n`,
      security_groups: [{ get_resource: "group" }],
    }),
  },
});

export const playEc2Kills = async ({ proxy, ec2 }: Place, folder: string): Promise<Killed> => {
  const front = await startFront(proxy.url);
  const roles = join(folder, "killed-roles.json");
  writeFileSync(roles, JSON.stringify({ projects: { demo: { ...ROLE, servers: SETTINGS } } }));
  try {
    return await playKills({
      name: "ec2",
      folder: join(folder, "kills"),
      environment: environmentFor(front.url),
      options: ["--aws", roles],
      templates: [templateOf("small", "first", BEFORE), templateOf("large", "second", AFTER)],
      objects: () => leftOver(ec2),
      wanted: OBJECTS,
      restartBackEnd: front.restart,
      killMsMax: KILL_MS_MAX,
    });
  } finally {
    await front.stop();
  }
};
