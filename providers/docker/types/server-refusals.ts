import type { JsonObject } from "#provider/provider.ts";
import {
  type Empties,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
  refuseFilledItems,
} from "#providers/server-provider.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import { refuseGroups } from "../back-end.ts";

const SERVER: Empties = {
  availability_zone: "one engine is one machine",
  scheduler_hints: "one engine is one machine, so nothing is scheduled",
  block_device_mapping: "use block_device_mapping_v2 with a volume_id",
  config_drive: "a container has no drives; user data is written into its files",
  diskConfig: "a container has no partitions",
  reservation_id: "the engine makes one container a call",
  personality: "Nova has dropped it; write files with user_data",
  admin_pass: "a container has no passwords; use key_name",
  admin_user: "a container has no such account",
};

const NETWORK: Empties = {
  floating_ip: "a published port is no address of its own",
  port_extra_properties: "the engine has no settings for an endpoint",
  tag: "the engine has no tags for an endpoint",
};

/** In the machine's own network a server could reach everything that listens on loopback. */
const FORBIDDEN_NETWORKS: readonly string[] = ["host"];

const refuseNetworks = (properties: JsonObject): RefusedProperty | null => {
  for (const [at, network] of objectsOf(properties["networks"]).entries()) {
    const place = `networks[${at}].`;
    if (network["allocate_network"] === "auto") {
      return { property: `${place}allocate_network`, why: "only none can be asked for" };
    }
    if (FORBIDDEN_NETWORKS.includes(textOf(network["network"]))) {
      return { property: `${place}network`, why: "it is the network of the machine itself" };
    }
  }
  return null;
};

const DEVICE: Empties = {
  image: "a container boots from the property image",
  image_id: "a container boots from the property image",
  snapshot_id: "the engine has no snapshots of volumes",
  swap_size: "a container has no disks",
  ephemeral_size: "a container has no disks",
  ephemeral_format: "a container has no disks",
  disk_bus: "a container has no disks",
  device_type: "a container has no disks",
  delete_on_termination: "delete the OS::Cinder::Volume instead",
};

const refuseFlavor = (properties: JsonObject): RefusedProperty | null => {
  const name = textOf(properties["flavor"]);
  return name === "" || flavorOf(name) !== null
    ? null
    : { property: "flavor", why: `${name} is not one of ${FLAVOR_NAMES}` };
};

const refuseImagePolicy = (properties: JsonObject): RefusedProperty | null =>
  properties["image_update_policy"] === "REBUILD_PRESERVE_EPHEMERAL"
    ? { property: "image_update_policy", why: "a container has no ephemeral disk" }
    : null;

export const refuseServer: Refuse = (properties) =>
  refuseFilled(properties, SERVER) ??
  refuseFlavor(properties) ??
  refuseGroups(properties) ??
  refuseFilledItems(properties, "networks", NETWORK) ??
  refuseNetworks(properties) ??
  refuseFilledItems(properties, "block_device_mapping_v2", DEVICE) ??
  refuseImagePolicy(properties);

interface Flavor {
  readonly processors: number;
  readonly memoryBytes: number;
}

const MEBIBYTE = 1_048_576;

/** OpenStack's own flavors as in DevStack. */
const NAMED: Readonly<Record<string, readonly [processors: number, mebibytes: number]>> = {
  "m1.nano": [1, 128],
  "m1.micro": [1, 192],
  "m1.tiny": [1, 512],
  "m1.small": [1, 2_048],
  "m1.medium": [2, 4_096],
  "m1.large": [4, 8_192],
  "m1.xlarge": [8, 16_384],
};

/** Names such as `2c-1g` and `1c-512m`: processors, and memory in GiB or MiB. */
const PATTERN = /^(\d{1,3})c-(\d{1,6})([mg])$/;
const MEBIBYTES_PER: Readonly<Record<string, number>> = { m: 1, g: 1_024 };
const MEBIBYTES_MIN = 6;

export const flavorOf = (name: string): Flavor | null => {
  const [, processors, amount, unit = ""] = PATTERN.exec(name) ?? [];
  const patterned =
    processors === undefined || amount === undefined
      ? undefined
      : ([Number(processors), Number(amount) * (MEBIBYTES_PER[unit] ?? 1)] as const);
  const found = Object.hasOwn(NAMED, name) ? NAMED[name] : patterned;
  if (found === undefined || found[0] === 0 || found[1] < MEBIBYTES_MIN) return null;
  return { processors: found[0], memoryBytes: found[1] * MEBIBYTE };
};

const FLAVOR_NAMES = `${Object.keys(NAMED).join(", ")}, or a name such as 2c-1g and 1c-512m`;
