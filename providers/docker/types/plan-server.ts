import type { Call, JsonObject } from "#provider/provider.ts";
import { bootDataOf } from "../../boot-data.ts";
import { nameOf } from "../../object-names.ts";
import { objectsOf, textOf, textsOf } from "../../values.ts";
import type { At } from "../back-end.ts";
import type { ContainerSpec } from "../engine/containers.ts";
import { type Labels, labelsFor, METADATA_PREFIX } from "../objects.ts";
import { BOOT_COMMAND, type Boot, bootFiles, isScript } from "./boot.ts";
import { volumeName } from "./cinder-volume.ts";
import type { WantedContainer } from "./ensure-container.ts";
import { publicKeyOf } from "./key-pair.ts";
import {
  type Endpoint,
  endpointsOf,
  type FixedEndpoint,
  isFixed,
  withOwnAddresses,
} from "./server-networks.ts";
import { flavorOf } from "./server-refusals.ts";
import { NAME_SERVERS } from "./subnet.ts";

export type Plan =
  | {
      readonly state: "planned";
      readonly wanted: WantedContainer;
      /** Fixed addresses, which only one container can have at a time. */
      readonly fixed: readonly FixedEndpoint[];
    }
  | { readonly state: "waiting" }
  | { readonly state: "failed"; readonly why: string };

export const serverName = (id: string): string => `hearth-server-${id}`;

/** The scheduler's period in microseconds. A quota may exceed the machine's processors. */
const PERIOD_US = 100_000;

export const limitsOf = ({ properties }: Call) => {
  const flavor = flavorOf(textOf(properties["flavor"]));
  if (flavor === null) return {};
  const { processors, memoryBytes } = flavor;
  return {
    CpuPeriod: PERIOD_US,
    CpuQuota: processors * PERIOD_US,
    Memory: memoryBytes,
    MemorySwap: 2 * memoryBytes,
  };
};

export const RESTART_POLICY = { Name: "unless-stopped" } as const;

const HOSTNAME_CHARS_MAX = 63;

const hostnameOf = (name: string): string => {
  const known = name.replaceAll(/[^A-Za-z0-9-]/g, "-").slice(0, HOSTNAME_CHARS_MAX);
  return known.replace(/(?<!-)-+$/, "").replace(/^-+/, "") || "server";
};

const metadataLabels = ({ properties }: Call): Labels =>
  Object.fromEntries(
    Object.entries(textsOf(properties["metadata"])).map(([key, text]) => [
      METADATA_PREFIX + key,
      text,
    ]),
  );

interface Mount {
  readonly Type: "volume";
  readonly Source: string;
  readonly Target: string;
}

/** A volume is mounted as a folder: the device `vdb` is /mnt/vdb. */
const folderOf = (device: JsonObject, index: number): string =>
  `/mnt/${textOf(device["device_name"]).split("/").at(-1) || `volume-${index}`}`;

const mountsOf = async (at: At): Promise<readonly Mount[] | string> => {
  const mounts: Mount[] = [];
  for (const [index, device] of objectsOf(
    at.call.properties["block_device_mapping_v2"],
  ).entries()) {
    const id = textOf(device["volume_id"]);
    const source = await volumeName(at, id);
    if (source === null) return `The Volume (${id}) could not be found.`;
    mounts.push({ Type: "volume", Source: source, Target: folderOf(device, index) });
  }
  return mounts;
};

export const endpointSpec = ({ address }: Endpoint): JsonObject =>
  address === null ? {} : { IPAMConfig: { IPv4Address: address } };

const networkSpec = (endpoints: readonly Endpoint[], isolated: boolean) => {
  const [first] = endpoints;
  if (isolated) return { mode: "none", config: {} };
  if (first === undefined) return { mode: "bridge", config: {} };
  const { Name: name } = first.network;
  return { mode: name, config: { EndpointsConfig: { [name]: endpointSpec(first) } } };
};

const nameServersOf = (endpoints: readonly Endpoint[]): readonly string[] =>
  endpoints.flatMap(({ network }) => {
    const servers = network.Labels[NAME_SERVERS];
    return servers === undefined ? [] : servers.split(",");
  });

const STOCK_AGENT = ["/usr/bin/os-collect-config", "/usr/local/bin/os-collect-config"];
const NODE = ["/usr/local/bin/node", "/usr/bin/node", "/bin/node"];
const CLOUD_INIT = ["/usr/bin/cloud-init", "/usr/local/bin/cloud-init"];

const mustHave = (
  image: string,
  { userData, metadataUrl }: Pick<Boot, "userData" | "metadataUrl">,
) => [
  { anyOf: ["/bin/sh"], why: `the image ${image} has no /bin/sh, which a server boots with` },
  ...(metadataUrl === null
    ? []
    : [
        {
          anyOf: [...NODE, ...STOCK_AGENT],
          why: `the image ${image} has neither node nor os-collect-config, and user_data_format SOFTWARE_CONFIG needs an agent`,
        },
      ]),
  ...(userData === "" || isScript(userData)
    ? []
    : [
        {
          anyOf: CLOUD_INIT,
          why: `the image ${image} has no cloud-init, and user_data is not a script`,
        },
      ]),
];

const specOf = (
  call: Call,
  id: string,
  { hostname }: Pick<Boot, "hostname">,
  given: {
    readonly mounts: readonly Mount[];
    readonly endpoints: readonly Endpoint[];
    readonly isolated: boolean;
  },
): ContainerSpec => {
  const { mode, config } = networkSpec(given.endpoints, given.isolated);
  const servers = nameServersOf(given.endpoints);
  return {
    Image: textOf(call.properties["image"]),
    Hostname: hostname,
    User: "0:0",
    WorkingDir: "/",
    Entrypoint: BOOT_COMMAND,
    Cmd: [],
    Labels: { ...metadataLabels(call), ...labelsFor(call, "server", id, nameOf(call, id)) },
    HostConfig: {
      ...limitsOf(call),
      NetworkMode: mode,
      RestartPolicy: RESTART_POLICY,
      Mounts: given.mounts,
      ...(servers.length === 0 ? {} : { Dns: servers }),
    },
    NetworkingConfig: config,
  };
};

const failed = (why: string): Plan => ({ state: "failed", why });

export const planServer = async (at: At, id: string): Promise<Plan> => {
  const image = textOf(at.call.properties["image"]);
  const pull = await at.images.ensure(image);
  if (pull.state === "failed") return failed(`The Image (${image}) could not be had: ${pull.why}`);
  if (pull.state === "pulling") return { state: "waiting" };
  const places = await endpointsOf(at);
  if (places.state !== "found") return places;
  const mounts = await mountsOf(at);
  if (typeof mounts === "string") return failed(mounts);
  const keyName = textOf(at.call.properties["key_name"]);
  const publicKey = keyName === "" ? null : await publicKeyOf(at, keyName);
  if (keyName !== "" && publicKey === null)
    return failed(`The Key (${keyName}) could not be found.`);
  const hostname = hostnameOf(nameOf(at.call, id));
  const boot = { ...bootDataOf(at.call.properties), id, hostname };
  const agent = boot.metadataUrl === null ? null : await at.agentProgram();
  const { isolated } = places;
  const endpoints = await withOwnAddresses(at, id, places.endpoints);
  return {
    state: "planned",
    wanted: {
      name: serverName(id),
      token: at.call.token,
      spec: specOf(at.call, id, boot, { mounts, endpoints, isolated }),
      mustHave: mustHave(image, boot),
      files: bootFiles({ ...boot, publicKey, agent }),
      connections: endpoints.slice(1).map((endpoint) => ({
        network: endpoint.network.Id,
        endpoint: endpointSpec(endpoint),
      })),
    },
    fixed: places.endpoints.filter(isFixed),
  };
};
