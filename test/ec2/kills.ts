/** EC2's endpoint and a host, killed at random moments. moto is behind, and keeps its objects. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "#lib/json.ts";
import { ROLE } from "../cloud-control/provider-at.ts";
import { startFront } from "../kills/front.ts";
import { type Killed, playKills } from "../kills/kills.ts";
import { leftOver } from "./made-objects.ts";
import { environmentFor, type Place, SETTINGS } from "./provider-play.ts";

const KILL_MS_MAX = 1_500;
/** An attachment is none: it is there as long as the volume and the server. */
const OBJECTS = 8;

const server = (flavor: string, user_data: string): JsonObject => ({
  type: "OS::Nova::Server",
  properties: {
    image: "fedora",
    flavor,
    user_data_format: "RAW",
    user_data,
    key_name: { get_resource: "key" },
    security_groups: [{ get_resource: "group" }],
  },
});

/** The first server is changed in place, and another one takes the place of the second. */
const templateOf = (flavor: string, text: string): JsonObject => ({
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
    kept: server(flavor, "#!/bin/sh\n"),
    replaced: server("small", `#!/bin/sh\necho ${text}\n`),
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
      templates: [templateOf("small", "first"), templateOf("large", "second")],
      objects: () => leftOver(ec2),
      wanted: OBJECTS,
      restartBackEnd: front.restart,
      killMsMax: KILL_MS_MAX,
    });
  } finally {
    await front.stop();
  }
};
