import * as z from "zod/mini";
import type { Json, JsonObject } from "#provider/provider.ts";
import { bootDataOf } from "../../boot-data.ts";
import { nameOf } from "../../object-names.ts";
import { isObject, listOf, objectsOf, textOf, textsOf } from "../../values.ts";
import { type At, askNeutron } from "../asked.ts";
import { CONFLICT, Refused, readAnswer, resource } from "../cloud.ts";
import { METADATA, tagOf } from "../marks.ts";
import { flavorByName, idByName, PLACES } from "../names.ts";
import { userDataOf } from "./user-data.ts";

const AMBIGUOUS = "Multiple possible networks found, use a Network ID to be more specific.";

const networkList = z.object({ networks: z.array(resource) });

/** Nova chose the project's only network itself until the API version with tags. */
const onlyNetwork = async (at: At): Promise<Json> => {
  const query = { "router:external": "false" };
  const answer = await askNeutron(at, { method: "GET", path: "/networks", query });
  const [first, ...others] = readAnswer(networkList, answer).networks;
  if (others.length > 0) throw new Refused(CONFLICT, AMBIGUOUS);
  return first === undefined ? "none" : [{ uuid: first.id }];
};

const networkOf = async (at: At, given: JsonObject): Promise<JsonObject> => {
  const { network, port, fixed_ip: address, tag } = given;
  const more = textOf(tag) === "" ? {} : { tag: textOf(tag) };
  if (textOf(port) !== "") {
    return { port: await idByName(at, PLACES.port, textOf(port)), ...more };
  }
  return {
    uuid: await idByName(at, PLACES.network, textOf(network)),
    ...(textOf(address) === "" ? {} : { fixed_ip: textOf(address) }),
    ...more,
  };
};

const networksOf = async (at: At): Promise<Json> => {
  const given = objectsOf(at.call.properties["networks"]);
  const [first] = given;
  if (first === undefined) return onlyNetwork(at);
  const word = textOf(first["allocate_network"]);
  return word === "" ? Promise.all(given.map((one) => networkOf(at, one))) : word;
};

const sourceOf = async (at: At, device: JsonObject): Promise<JsonObject> => {
  const volume = textOf(device["volume_id"]);
  const snapshot = textOf(device["snapshot_id"]);
  const image = textOf(device["image"]) || textOf(device["image_id"]);
  const remote = { destination_type: "volume" };
  if (volume !== "") return { ...remote, uuid: volume, source_type: "volume" };
  if (snapshot !== "") return { ...remote, uuid: snapshot, source_type: "snapshot" };
  if (image !== "") {
    return { ...remote, uuid: await idByName(at, PLACES.image, image), source_type: "image" };
  }
  const { swap_size: swap, ephemeral_size: size, ephemeral_format: format } = device;
  const blank = { source_type: "blank", destination_type: "local", boot_index: -1 };
  if (typeof swap === "number") return { ...blank, guest_format: "swap", volume_size: swap };
  if (typeof size === "number") {
    const system = textOf(format) === "" ? {} : { guest_format: textOf(format) };
    return { ...blank, ...system, volume_size: size };
  }
  return { source_type: "blank", destination_type: "volume" };
};

const GIVEN = [
  "device_name",
  "device_type",
  "disk_bus",
  "boot_index",
  "volume_size",
  "delete_on_termination",
] as const;

const given = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name] ?? null;
      return value === null || value === "" ? [] : [[name, value] as const];
    }),
  );

/** If there are other disks, Nova needs the image as a disk too. */
const devicesOf = async (at: At, imageId: string | null): Promise<readonly JsonObject[]> => {
  const devices = objectsOf(at.call.properties["block_device_mapping_v2"]);
  if (devices.length === 0) return [];
  const made = await Promise.all(
    devices.map(async (one) => ({ ...(await sourceOf(at, one)), ...given(one, GIVEN) })),
  );
  if (imageId === null || made.some((one: JsonObject) => one["boot_index"] === 0)) return made;
  const boot = { uuid: imageId, source_type: "image", destination_type: "local", boot_index: 0 };
  return [{ ...boot, delete_on_termination: true }, ...made];
};

export const metadataOf = (
  at: Pick<At, "call">,
  mark: string,
): Readonly<Record<string, string>> => {
  const { properties, stackName, resourceName } = at.call;
  return {
    ...textsOf(properties["metadata"]),
    [METADATA.id]: mark,
    [METADATA.stack]: stackName,
    [METADATA.resource]: resourceName,
  };
};

export const tagsOf = ({ call }: Pick<At, "call">, mark: string): readonly Json[] => [
  tagOf(mark),
  ...listOf(call.properties["tags"]),
];

/** Nova accepts 65,535 characters of base64. Its own refusal would show the text. */
const USER_DATA_BYTES_MAX = 49_149;

const encoded = (userData: string): string => {
  const bytes = Buffer.from(userData);
  if (bytes.length <= USER_DATA_BYTES_MAX) return bytes.toString("base64");
  throw new Refused(
    0,
    `user_data has ${bytes.length} bytes with what its format adds, and Nova takes ${USER_DATA_BYTES_MAX}`,
  );
};

export const imageIdOf = async (at: At): Promise<string | null> => {
  const image = textOf(at.call.properties["image"]);
  return image === "" ? null : idByName(at, PLACES.image, image);
};

export const serverRequest = async (at: At, mark: string): Promise<JsonObject> => {
  const { properties } = at.call;
  const imageId = await imageIdOf(at);
  const devices = await devicesOf(at, imageId);
  const userData = userDataOf(bootDataOf(properties));
  const groups = listOf(properties["security_groups"]).map((name) => ({ name }));
  const { scheduler_hints: hints, diskConfig: disk } = properties;
  const server: JsonObject = {
    name: nameOf(at.call, mark),
    flavorRef: (await flavorByName(at, textOf(properties["flavor"]))).id,
    ...(imageId === null ? {} : { imageRef: imageId }),
    ...(devices.length === 0 ? {} : { block_device_mapping_v2: devices }),
    networks: await networksOf(at),
    metadata: metadataOf(at, mark),
    tags: tagsOf(at, mark),
    ...(groups.length === 0 ? {} : { security_groups: groups }),
    ...(userData === "" ? {} : { user_data: encoded(userData) }),
    ...given(properties, ["key_name", "availability_zone", "config_drive"]),
    ...(textOf(disk) === "" ? {} : { "OS-DCF:diskConfig": textOf(disk) }),
  };
  return isObject(hints) && Object.keys(hints).length > 0
    ? { server, "os:scheduler_hints": hints }
    : { server };
};
