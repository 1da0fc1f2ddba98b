import type { BlockDeviceMapping, Instance } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import {
  type Empties,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
} from "#providers/server-provider.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import { type At, Impossible, orMissing } from "../account.ts";
import { reach, VOLUMES } from "../objects/looks.ts";
import { attached, DEVICES, deviceOf, LETTERS } from "./volume-attachment.ts";

const OLD = "block_device_mapping";
const NEW = "block_device_mapping_v2";

const DISK: Empties = {
  swap_size: "EC2 makes no swap disks; make a file in user_data",
  ephemeral_size: "an instance type has its own",
  ephemeral_format: "an instance type has its own",
  disk_bus: "EC2 chooses it",
};

const NONE_FREE = `EC2 has no free device for it: ${LETTERS.length} disks can do without a name`;
const BOOTS = "an instance boots from its image";

const FIRST = /^(?:\/dev\/)?(?:vd|sd|xvd)a$/;

const isBoot = (disk: JsonObject): boolean => (disk["boot_index"] ?? 0) === 0;

const refuseDevice = (disk: JsonObject): RefusedProperty | null => {
  const name = textOf(disk["device_name"]);
  return name === "" || deviceOf(name) !== null ? null : { property: "device_name", why: DEVICES };
};

const refuseVolume = (disk: JsonObject): RefusedProperty | null =>
  textOf(disk["volume_id"]) !== "" && disk["delete_on_termination"] === true
    ? { property: "delete_on_termination", why: "a volume goes with its own resource" }
    : null;

const refuseNew = (disk: JsonObject): RefusedProperty | null => {
  const filled = refuseFilled(disk, DISK);
  if (filled !== null) return filled;
  if (disk["device_type"] === "cdrom")
    return { property: "device_type", why: "EC2 has disks only" };
  const hasImage = textOf(disk["image"]) !== "";
  const isOther = textOf(disk["volume_id"]) !== "" || textOf(disk["snapshot_id"]) !== "";
  if (isOther && isBoot(disk)) return { property: "boot_index", why: BOOTS };
  if (hasImage && !isBoot(disk)) {
    return {
      property: "image",
      why: "EC2 makes an image's disk to boot from it; give snapshot_id",
    };
  }
  return hasImage ? null : (refuseDevice(disk) ?? refuseVolume(disk));
};

const refuseOld = (disk: JsonObject): RefusedProperty | null =>
  FIRST.test(textOf(disk["device_name"]))
    ? { property: "device_name", why: BOOTS }
    : (refuseDevice(disk) ?? refuseVolume(disk));

export const refuseDisks = (properties: JsonObject): RefusedProperty | null => {
  const refuseLetter = lettersIn(properties);
  for (const [list, refuse] of [
    [OLD, refuseOld],
    [NEW, refuseNew],
  ] as const) {
    for (const [at, disk] of objectsOf(properties[list]).entries()) {
      const refused = refuse(disk) ?? refuseLetter(disk);
      if (refused === null) continue;
      return { ...refused, property: `${list}[${at}].${refused.property}` };
    }
  }
  return null;
};

const disksOf = (properties: JsonObject): readonly JsonObject[] => [
  ...objectsOf(properties[OLD]),
  ...objectsOf(properties[NEW]),
];

/** The device that a disk names. Null for the image's too, which says itself where its disk is. */
const namedDevice = (disk: JsonObject): string | null =>
  textOf(disk["image"]) === "" ? deviceOf(textOf(disk["device_name"])) : null;

/** For disks that name none. A volume that is attached later has its letter before them. */
const freeDevices = (properties: JsonObject): string[] => {
  const named = new Set(disksOf(properties).map(namedDevice));
  return LETTERS.map((letter) => `/dev/sd${letter}`).filter((device) => !named.has(device));
};

const hasContent = (disk: JsonObject): boolean =>
  textOf(disk["snapshot_id"]) !== "" || textOf(disk["volume_id"]) !== "";

/** It is asked for one disk after the other. */
const lettersIn = (properties: JsonObject): Refuse => {
  const free = freeDevices(properties);
  const taken = new Set<string>();
  return (disk) => {
    const device = namedDevice(disk);
    if (device === null) {
      if (!hasContent(disk) || free.shift() !== undefined) return null;
      return { property: "device_name", why: NONE_FREE };
    }
    if (taken.has(device)) return { property: "device_name", why: `another disk is ${device}` };
    taken.add(device);
    return null;
  };
};

const imageDiskOf = (properties: JsonObject): JsonObject | null =>
  disksOf(properties).find((disk) => textOf(disk["image"]) !== "") ?? null;

export const imageNameOf = (properties: JsonObject): string =>
  textOf(properties["image"]) || textOf(imageDiskOf(properties)?.["image"]);

const newDisk = (disk: JsonObject, device: string): BlockDeviceMapping => {
  const { volume_size: size, delete_on_termination: isDeleted } = disk;
  const snapshot = textOf(disk["snapshot_id"]);
  return {
    DeviceName: device,
    Ebs: {
      ...(snapshot === "" ? {} : { SnapshotId: snapshot }),
      ...(typeof size === "number" ? { VolumeSize: size } : {}),
      // As in Nova, new disks are kept unless the template says otherwise.
      DeleteOnTermination: isDeleted === true,
    },
  };
};

/** Only the image knows the device name of its disk. Throws Impossible. */
const rootOf = async ({ ec2, abort }: At, image: string) => {
  const asked = ec2.describeImages({ ImageIds: [image] }, abort);
  const name = (await orMissing(asked))?.Images?.[0]?.RootDeviceName;
  if (name === undefined) throw new Impossible(`EC2 does not say which disk ${image} has`);
  return name;
};

export const newDisksOf = async (at: At, image: string): Promise<BlockDeviceMapping[]> => {
  const { properties } = at.call;
  const disks: BlockDeviceMapping[] = [];
  const ofImage = imageDiskOf(properties);
  if (ofImage !== null) disks.push(newDisk(ofImage, await rootOf(at, image)));
  const free = freeDevices(properties);
  for (const disk of disksOf(properties)) {
    if (textOf(disk["snapshot_id"]) === "") continue;
    const device = namedDevice(disk) ?? free.shift();
    if (device === undefined) throw new Impossible(NONE_FREE);
    disks.push(newDisk(disk, device));
  }
  return disks;
};

/** EC2 attaches volumes only to an existing instance. */
export const hasVolumes = async (at: At, instance: Instance): Promise<boolean> => {
  for (const disk of disksOf(at.call.properties)) {
    const id = textOf(disk["volume_id"]);
    if (id === "") continue;
    const volume = await reach(at, VOLUMES, id);
    const mountpoint = textOf(disk["device_name"]);
    if (!(await attached(at, { instance, volume, mountpoint }))) return false;
  }
  return true;
};
