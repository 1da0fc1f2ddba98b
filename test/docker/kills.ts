import { join } from "node:path";
import type { JsonObject } from "#lib/json.ts";
import { type Killed, playKills } from "../kills/kills.ts";
import type { EngineKind, RunningEngine } from "./engines.ts";
import { handoversAt } from "./handover-play.ts";
import { IMAGE, providerAt } from "./provider-play.ts";

const KILL_MS_MAX = 1_200;

const server = (name: string, flavor: string, networks: readonly JsonObject[]): JsonObject => ({
  type: "OS::Nova::Server",
  properties: {
    name,
    image: IMAGE,
    flavor,
    networks,
    user_data_format: "RAW",
    user_data: `#!/bin/sh\necho ${name} > /tmp/booted\n`,
  },
});

const RECORDS: Readonly<Record<string, JsonObject>> = {
  key: { type: "OS::Nova::KeyPair", properties: { name: "killed", save_private_key: true } },
  net: { type: "OS::Neutron::Net" },
  subnet: {
    type: "OS::Neutron::Subnet",
    properties: { network: { get_resource: "net" }, cidr: "10.85.0.0/24" },
  },
  port: {
    type: "OS::Neutron::Port",
    properties: { network: { get_resource: "net" } },
    depends_on: "subnet",
  },
  place: {
    type: "OS::Neutron::Port",
    properties: { network: { get_resource: "net" } },
    depends_on: "subnet",
  },
  data: { type: "OS::Cinder::Volume", properties: { size: 1 } },
};

/**
 * The first server may change in place. The second is replaced, and its port moves to the new one.
 */
const templateOf = (flavor: string, name: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    ...RECORDS,
    kept: server("kept", flavor, [{ port: { get_resource: "port" } }]),
    replaced: server(name, "1c-64m", [{ port: { get_resource: "place" } }]),
  },
});

const OBJECTS = 8;

/** Records of released addresses count as objects too. */
export const objectsAt = async (socketPath: string): Promise<readonly string[]> => {
  const found = Object.entries(providerAt(socketPath).types).map(async ([type, { list }]) =>
    ((await list?.({})) ?? []).map((id) => `${type} ${id}`),
  );
  const handovers = await handoversAt(socketPath);
  return [...(await Promise.all(found)).flat(), ...handovers];
};

export const playEngineKills = (
  kind: EngineKind,
  { socketPath, restart }: RunningEngine,
  folder: string,
): Promise<Killed> =>
  playKills({
    name: kind,
    folder: join(folder, "kills"),
    options: ["--docker", `unix://${socketPath}`],
    templates: [templateOf("1c-64m", "first"), templateOf("1c-96m", "second")],
    objects: () => objectsAt(socketPath),
    wanted: OBJECTS,
    restartBackEnd: restart,
    killMsMax: KILL_MS_MAX,
  });
