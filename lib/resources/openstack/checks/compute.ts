/** What Heat checks before it calls Nova or Zun. */
import * as z from "zod/mini";
import { propertyConflict, propertyUnspecified } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { CheckedDefinition, Problem } from "#lib/model/checked-definition.ts";
import { member } from "#lib/template/json-shape.ts";
import { firstProblem, isGiven, isSet, reads } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";
import types from "../types/nova.json" with { type: "json" };

const blockDevice = z.object({
  device_name: z.optional(z.string()),
  volume_id: z.optional(z.string()),
  snapshot_id: z.optional(z.string()),
  image: z.optional(z.string()),
  image_id: z.optional(z.string()),
  boot_index: z.optional(plainNumber),
  swap_size: z.optional(plainNumber),
  ephemeral_size: z.optional(plainNumber),
  ephemeral_format: z.optional(z.string()),
});

type BlockDevice = z.infer<typeof blockDevice>;

const disksSchema = z.object({
  block_device_mapping: z._default(z.array(blockDevice), []),
  block_device_mapping_v2: z._default(z.array(blockDevice), []),
  image: z.optional(z.string()),
});
const networksSchema = z._default(z.array(jsonObject), []);

type Disks = z.infer<typeof disksSchema>;

const isPresent = <T>(value: T | undefined): value is T => value !== undefined;

const refuseOldDevice = ({ device_name, volume_id, snapshot_id }: BlockDevice): Problem => {
  if (volume_id !== undefined && snapshot_id !== undefined) {
    return propertyConflict("volume_id", "snapshot_id");
  }
  return volume_id === undefined && snapshot_id === undefined
    ? `Either volume_id or snapshot_id must be specified for device mapping ${device_name}`
    : null;
};

const copiedFrom = ({ volume_id, snapshot_id, image, image_id }: BlockDevice): readonly string[] =>
  [volume_id, snapshot_id, image ?? image_id].filter(isPresent);

const refuseDevice = (device: BlockDevice): Problem => {
  const { swap_size, ephemeral_size, ephemeral_format } = device;
  // As in Python's `or`, a size of 0 falls through to the format.
  const ephemeral = ephemeral_size === 0 ? ephemeral_format : (ephemeral_size ?? ephemeral_format);
  const sources = [...copiedFrom(device), ...[swap_size, ephemeral].filter(isPresent)];
  if (sources.length === 0) {
    return "Either volume_id, snapshot_id, image_id, swap_size, ephemeral_size or ephemeral_format must be specified.";
  }
  return sources.length === 1
    ? null
    : propertyConflict(
        "volume_id",
        "snapshot_id",
        "image",
        "swap_size",
        "ephemeral_size",
        "ephemeral_format",
      );
};

const bootsFrom = (device: BlockDevice): readonly string[] =>
  (device.boot_index ?? 0) === 0 ? copiedFrom(device) : [];

const refuseDisks = (
  { image, block_device_mapping: old, block_device_mapping_v2: devices }: Disks,
  name: string,
): Problem => {
  if (old.length > 0 && devices.length > 0) {
    return propertyConflict("block_device_mapping", "block_device_mapping_v2");
  }
  const wrong = firstProblem(old, refuseOldDevice) ?? firstProblem(devices, refuseDevice);
  if (wrong !== null) return wrong;
  const bootable = [image].filter(isPresent).concat(devices.flatMap(bootsFrom));
  if (bootable.length === 0 && old.every(({ device_name }) => device_name !== "vda")) {
    return `Neither image nor bootable volume is specified for instance ${name}`;
  }
  return devices.length > 0 && bootable.length !== 1
    ? `Multiple bootable sources for instance ${name}.`
    : null;
};

const refuseNetwork = (network: JsonObject, server: string): Problem => {
  const hasNetwork = isGiven(network, "network") || isGiven(network, "uuid");
  const hasPort = isGiven(network, "port");
  const hasSubnet = isGiven(network, "subnet");
  const isAllocated = isSet(network, "allocate_network");
  if (!hasNetwork && !hasPort && !hasSubnet && !isAllocated) {
    return `One of the properties "network", "port", "allocate_network" or "subnet" should be set for the specified network of server "${server}".`;
  }
  if (isAllocated && Object.keys(network).filter((key) => isGiven(network, key)).length !== 1) {
    return 'Can not specify "allocate_network" with other keys of networks at the same time.';
  }
  if (isSet(network, "fixed_ip") && hasPort) {
    return propertyConflict("networks/fixed_ip", "networks/port");
  }
  return isGiven(network, "floating_ip") && hasNetwork && !hasPort && !hasSubnet
    ? 'Property "floating_ip" is not supported if only "network" is specified, because the corresponding port can not be retrieved.'
    : null;
};

const refuseNetworks = (given: JsonObject, name: string): Problem => {
  const networks = networksSchema.parse(given["networks"]);
  const wrong = firstProblem(networks, (network) => refuseNetwork(network, name));
  if (wrong !== null) return wrong;
  if (networks.length > 1 && networks.some((network) => isSet(network, "allocate_network"))) {
    return 'Property "allocate_network" can not be specified if multiple network interfaces set for server.';
  }
  return networks.some((network) => isGiven(network, "port")) && isSet(given, "security_groups")
    ? propertyConflict("security_groups", "networks/port")
    : null;
};

const refuseServer = (
  given: JsonObject,
  name: string,
  { metadata }: CheckedDefinition,
): Problem => {
  const format = member(given, "user_data_format");
  if (format === "SOFTWARE_CONFIG" && Object.hasOwn(metadata, "deployments")) {
    return "deployments key not allowed in resource metadata with user_data_format of SOFTWARE_CONFIG";
  }
  return (
    refuseDisks(disksSchema.parse(given), name) ??
    reads(given, "flavor") ??
    refuseNetworks(given, name) ??
    reads(given, "tags", "metadata", "personality")
  );
};

const UPDATE_POLICIES: readonly (readonly [string, string])[] = [
  ["flavor", "flavor_update_policy"],
  ["image", "image_update_policy"],
  ["user_data", "user_data_update_policy"],
];

const mustReplaceServer = (
  before: JsonObject,
  after: JsonObject,
  changed: readonly string[],
): boolean => {
  const policyOf = (key: string): Json => member(isSet(after, key) ? after : before, key) ?? null;
  return UPDATE_POLICIES.some(
    ([key, policy]) => changed.includes(key) && policyOf(policy) === "REPLACE",
  );
};

const refuseQuota = (given: JsonObject): Problem =>
  Object.values(given).length > 1
    ? null
    : propertyUnspecified(
        ...Object.keys(types["OS::Nova::Quota"].properties)
          .filter((key) => key !== "project")
          .toSorted(),
      );

const propertiesSchema = z.object({
  restart_policy: z._default(z.string(), ""),
  mounts: z._default(z.array(jsonObject), []),
  networks: z._default(z.array(jsonObject), []),
});

const RESTART_POLICY = /^(?:no|always|unless-stopped|on-failure(?::[^:]*)?)?$/s;

const refuseMount = (mount: JsonObject, name: string): Problem => {
  if (!isGiven(mount, "volume_id") && !isGiven(mount, "volume_size")) {
    return `One of the properties "volume_id" or "volume_size" should be set for the specified mount of container "${name}".`;
  }
  return isSet(mount, "volume_id") && isSet(mount, "volume_size")
    ? propertyConflict("networks/volume_id", "networks/volume_size")
    : null;
};

const refuseContainerNetwork = (network: JsonObject): Problem => {
  const hasPort = isGiven(network, "port");
  if (!isGiven(network, "network") && !hasPort) return propertyUnspecified("network", "port");
  return isSet(network, "fixed_ip") && hasPort
    ? propertyConflict("networks.fixed_ip", "networks.port")
    : null;
};

const refuseContainer = (given: JsonObject, name: string): Problem => {
  const { restart_policy: policy, mounts, networks } = propertiesSchema.parse(given);
  if (!RESTART_POLICY.test(policy)) {
    return `restart_policy "${policy}" is invalid. Valid values are "no", "on-failure[:max-retry]", "always", and "unless-stopped".`;
  }
  return (
    firstProblem(mounts, (mount) => refuseMount(mount, name)) ??
    firstProblem(networks, refuseContainerNetwork)
  );
};

export const COMPUTE_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Nova::KeyPair": {
    validate: (given) => reads(given, "type", "user", "public_key"),
  },
  "OS::Nova::Quota": { validate: refuseQuota },
  "OS::Nova::ServerGroup": {
    validate: (given) => reads(given, "policies", "rules"),
  },
  "OS::Nova::Server": { mustReplace: mustReplaceServer, validate: refuseServer },
  "OS::Zun::Container": { validate: refuseContainer },
};
