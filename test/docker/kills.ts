/** An engine and a host, killed at random moments with real containers. */
import { join } from "node:path";
import type { JsonObject } from "#lib/json.ts";
import { type Killed, playKills } from "../kills/kills.ts";
import type { EngineKind, RunningEngine } from "./engines.ts";
import { IMAGE, providerAt } from "./provider-play.ts";

/** An operation takes a few seconds. */
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
  data: { type: "OS::Cinder::Volume", properties: { size: 1 } },
};

/** The first server may change in place, and another one takes the place of the second. */
const templateOf = (flavor: string, name: string): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    ...RECORDS,
    kept: server("kept", flavor, [{ port: { get_resource: "port" } }]),
    replaced: server(name, "1c-64m", []),
  },
});

/** Podman 4.3 cannot change limits. A replacement would want the address of its predecessor. */
const LATER_FLAVOR: Readonly<Record<EngineKind, string>> = { docker: "1c-96m", podman: "1c-64m" };
const OBJECTS = 7;

export const objectsAt = async (socketPath: string): Promise<readonly string[]> => {
  const found = Object.entries(providerAt(socketPath).types).map(async ([type, { list }]) =>
    ((await list?.({})) ?? []).map((id) => `${type} ${id}`),
  );
  return (await Promise.all(found)).flat();
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
    templates: [templateOf("1c-64m", "first"), templateOf(LATER_FLAVOR[kind], "second")],
    objects: () => objectsAt(socketPath),
    wanted: OBJECTS,
    restartBackEnd: restart,
    killMsMax: KILL_MS_MAX,
  });
