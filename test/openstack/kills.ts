/**
 * OpenStack's endpoints and a host, killed at random moments. Of real services only the host is
 * killed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "#lib/json.ts";
import { startFront } from "../kills/front.ts";
import { type Killed, type KilledSite, playKills } from "../kills/kills.ts";
import { SECRET } from "./double/double.ts";
import { leftOver } from "./provider-play.ts";
import { type PlayedStage, projectsFile } from "./stages.ts";

const KILL_MS_MAX = 2_500;
const OBJECTS = 7;

const port: JsonObject = {
  type: "OS::Neutron::Port",
  properties: { network: { get_resource: "net" }, security_groups: [{ get_resource: "group" }] },
  depends_on: "subnet",
};

const templateOf = (name: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    key: { type: "OS::Nova::KeyPair", properties: { name: "killed", save_private_key: true } },
    net: { type: "OS::Neutron::Net", properties: { name } },
    subnet: {
      type: "OS::Neutron::Subnet",
      properties: { network: { get_resource: "net" }, cidr: "10.41.0.0/24" },
    },
    group: {
      type: "OS::Neutron::SecurityGroup",
      properties: { name: "killed", rules: [{ protocol: "icmp" }] },
    },
    port,
    kept: {
      type: "OS::Nova::Server",
      properties: {
        name,
        image: "cirros",
        flavor: "m1.tiny",
        key_name: { get_resource: "key" },
        networks: [{ port: { get_resource: "port" } }],
      },
    },
    replaced: {
      type: "OS::Nova::Server",
      properties: {
        image: "cirros",
        flavor: "m1.tiny",
        user_data_format: "RAW",
        user_data: name,
        networks: [{ network: { get_resource: "net" } }],
      },
      depends_on: "subnet",
    },
  },
});

/** Nova creates ports of its own, which carry no mark of Hearth. */
const siteAt = ({ stage, file }: PlayedStage, folder: string): KilledSite => ({
  name: "openstack",
  folder,
  options: ["--openstack", file],
  templates: [templateOf("first"), templateOf("second")],
  objects: () => leftOver(stage),
  wanted: OBJECTS,
  restartBackEnd: null,
  killMsMax: KILL_MS_MAX,
});

export const playCloudKills = async (played: PlayedStage, folder: string): Promise<Killed> => {
  const site = siteAt(played, folder);
  if (played.kind === "real services") return playKills(site);
  const { credential } = played.stage;
  const { origin, pathname } = new URL(credential.authUrl);
  const front = await startFront(origin);
  mkdirSync(folder, { recursive: true });
  const [file, secretFile] = [join(folder, "front.json"), join(folder, "front.secret")];
  try {
    writeFileSync(secretFile, `${SECRET}\n`, { mode: 0o600 });
    writeFileSync(file, projectsFile({ ...credential, authUrl: front.url + pathname }, secretFile));
    return await playKills({
      ...site,
      options: ["--openstack", file],
      restartBackEnd: front.restart,
    });
  } finally {
    await front.stop();
  }
};
