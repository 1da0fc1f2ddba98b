import type { Json, JsonObject } from "#provider/provider.ts";
import { FLAVOR, IMAGE } from "#providers/cloud-control/account/roles.ts";
import {
  type Empties,
  type Refuse,
  type RefusedProperty,
  type Replaces,
  refuseFilled,
  refuseFilledItems,
  replacedBy,
} from "#providers/server-provider.ts";
import { isObject, listOf, textOf } from "#providers/values.ts";
import { refuseTags } from "../tags.ts";
import { imageNameOf, refuseDisks } from "./server-disks.ts";

const SERVER: Empties = {
  scheduler_hints: "EC2 schedules by itself",
  config_drive: "EC2 has none; user data comes from its metadata service",
  diskConfig: "EC2 leaves partitions to the image",
  reservation_id: "Hearth makes one instance a call",
  personality: "Nova has dropped it; write files with user_data",
  admin_pass: "EC2 sets no passwords; use key_name",
  admin_user: "EC2 makes no accounts; use key_name",
};

const NETWORK: Empties = {
  floating_ip: "use OS::Neutron::FloatingIP with the port",
  port_extra_properties: "use OS::Neutron::Port",
  tag: "EC2 has no tags for the place of an interface",
  allocate_network: "an instance has an interface, and its subnet must be known",
};

/** The names of all projects in the operator's file. A creation checks those of its own project. */
export interface KnownNames {
  readonly images: ReadonlySet<string>;
  readonly flavors: ReadonlySet<string>;
}

const refuseNames = (properties: JsonObject, known: KnownNames): RefusedProperty | null => {
  const [image, flavor] = [imageNameOf(properties), textOf(properties["flavor"])];
  if (image !== "" && !known.images.has(image) && !IMAGE.test(image)) {
    const why = `${image} is neither the id of an AMI nor in the operator's file`;
    return { property: "image", why };
  }
  if (flavor !== "" && !known.flavors.has(flavor) && !FLAVOR.test(flavor)) {
    const why = `${flavor} is neither an instance type nor in the operator's file`;
    return { property: "flavor", why };
  }
  return null;
};

export const USER_DATA_BYTES_MAX = 16_384;

/** Other formats are compressed, so their size is only known at the creation. */
const refuseUserData = (properties: JsonObject): RefusedProperty | null =>
  properties["user_data_format"] === "RAW" &&
  Buffer.byteLength(textOf(properties["user_data"])) > USER_DATA_BYTES_MAX
    ? { property: "user_data", why: `EC2 takes ${USER_DATA_BYTES_MAX} bytes` }
    : null;

const refusePolicies = (properties: JsonObject): RefusedProperty | null => {
  const { image_update_policy: image, user_data_update_policy: userData } = properties;
  if (image === "REBUILD_PRESERVE_EPHEMERAL") {
    return { property: "image_update_policy", why: "EC2 does not rebuild instances" };
  }
  return userData === "REBUILD"
    ? { property: "user_data_update_policy", why: "EC2 does not rebuild instances" }
    : null;
};

export const refuseServer =
  (known: KnownNames | null): Refuse =>
  (properties) =>
    refuseFilled(properties, SERVER) ??
    (known && refuseNames(properties, known)) ??
    refuseDisks(properties) ??
    refuseFilledItems(properties, "networks", NETWORK) ??
    refuseTags(properties) ??
    refuseUserData(properties) ??
    refusePolicies(properties);

const NETWORK_KEYS = ["port", "subnet", "network", "fixed_ip"] as const;

/** @returns null when only the update can tell which network is the first */
const firstOf = (networks: Json | undefined): string | null => {
  const all = listOf(networks);
  if (!all.every(isObject)) return null;
  const [first] = all.filter(isObject);
  return NETWORK_KEYS.map((key) => textOf(first?.[key])).join("\n");
};

/** EC2 never detaches the first interface of an instance. */
const hasOtherFirst: Replaces = (before, after) => {
  const first = firstOf(after["networks"]);
  return first !== null && first !== firstOf(before["networks"]);
};

export const replacesServer: Replaces = (before, after) =>
  replacedBy("image")(before, after) ||
  hasOtherFirst(before, after) ||
  (after["flavor_update_policy"] === "REPLACE" && replacedBy("flavor")(before, after)) ||
  (after["user_data_update_policy"] !== "IGNORE" && replacedBy("user_data")(before, after));
