/** OS::Cinder::VolumeAttachment. As in Heat, its physical id is the volume's. */
import type { Instance, Volume, VolumeAttachment } from "@aws-sdk/client-ec2";
import type { Answer, Call, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { VOLUME_ATTACHMENT_PROPERTIES } from "#providers/network-schemas.ts";
import { digest } from "#providers/object-names.ts";
import { isChanged, type Refuse } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import {
  type At,
  type Ec2Accounts,
  foundLater,
  hasCode,
  Impossible,
  ignoring,
  isMissing,
} from "../account.ts";
import { expectPossible, looksAgain, stepsIn } from "../asked.ts";
import { byId, missing, reach, type Seen, VOLUMES } from "../objects/looks.ts";
import { isOfProject } from "../tags.ts";
import { idOfInstance, instanceOf } from "./instances.ts";

const MOUNTPOINT = "mountpoint";

export const refuseVolumeAttachment: Refuse = (properties) => {
  const mountpoint = textOf(properties[MOUNTPOINT]);
  return mountpoint === "" || deviceOf(mountpoint) !== null
    ? null
    : { property: MOUNTPOINT, why: DEVICES };
};

const attach = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  expectPossible(refuseVolumeAttachment(properties));
  const volume = await reach(at, VOLUMES, textOf(properties["volume_id"]));
  const server = textOf(properties["instance_uuid"]);
  const instance = await foundLater(at, () => instanceOf(at, server));
  if (instance === null) throw missing("Server", server);
  const disk = { instance, volume, mountpoint: textOf(properties[MOUNTPOINT]) };
  const isDone = await attached(at, disk);
  return isDone ? { state: "finished", physicalId: volume.id } : looksAgain(at, volume.id);
};

/** The attachment belongs to this resource if the volume's server is one of `givens`. */
const own = async (
  at: At<ObjectCall>,
  givens: readonly (Call["properties"] | null)[],
): Promise<VolumeAttachment | null> => {
  const volume = await byId(at, VOLUMES, at.call.physicalId);
  if (volume === null || !isOfProject(volume.tags, at.call.tenant)) return null;
  return ofServers(at, volume, givens);
};

const ofServers = async (
  at: At<ObjectCall>,
  volume: Seen<Volume>,
  givens: readonly (Call["properties"] | null)[],
): Promise<VolumeAttachment | null> => {
  const there = attachmentOf(volume);
  if (there === null) return null;
  for (const given of givens) {
    const server = textOf(given?.["instance_uuid"]);
    const instance = server === "" ? null : await instanceOf(at, server);
    if (instance !== null && idOfInstance(instance) === there.InstanceId) return there;
  }
  return null;
};

const update = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId, previousProperties } = at.call;
  if (isChanged(at.call, "volume_id")) return { state: "replace" };
  expectPossible(refuseVolumeAttachment(at.call.properties));
  if (isChanged(at.call, "instance_uuid")) {
    const former = await own(at, [previousProperties]);
    if (former !== null) {
      await detach(at, former);
      return looksAgain(at, physicalId);
    }
  }
  const device = deviceOf(textOf(at.call.properties[MOUNTPOINT]));
  const there = await own(at, [at.call.properties]);
  if (there !== null && device !== null && there.Device?.slice(-1) !== device.slice(-1)) {
    await detach(at, there);
    return looksAgain(at, physicalId);
  }
  return attach(at);
};

const remove = async (at: At<ObjectCall>): Promise<Answer> => {
  const there = await own(at, [at.call.properties, at.call.previousProperties]);
  if (there === null) return { state: "finished" };
  await detach(at, there);
  return looksAgain(at, at.call.physicalId);
};

const check = async (at: At<ObjectCall>): Promise<Answer> => ({
  state: (await own(at, [at.call.properties])) === null ? "gone" : "finished",
});

export const volumeAttachment = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A volume of a server.",
  properties: VOLUME_ATTACHMENT_PROPERTIES,
  tokens: "kept",
  ...stepsIn(accounts, { create: attach, update, remove, check }),
});

/** AWS recommends these letters for volumes. */
export const LETTERS: readonly string[] = [..."fghijklmnop"];
const DEVICE_NAME = /^(?:\/dev\/)?(?:vd|sd|xvd)([b-z])$/;

/** Only the letter of a mountpoint counts: the instance decides how it names the device. */
export const deviceOf = (mountpoint: string): string | null => {
  const [, letter] = DEVICE_NAME.exec(mountpoint) ?? [];
  return letter === undefined ? null : `/dev/sd${letter}`;
};

export const DEVICES = "EC2 has devices from /dev/sdb to /dev/sdz";

interface Disk {
  readonly instance: Instance;
  readonly volume: Seen<Volume>;
  readonly mountpoint: string;
}

const attachmentOf = ({ own }: Seen<Volume>): VolumeAttachment | null =>
  own.Attachments?.find(({ State }) => State !== "detached") ?? null;

const lettersOf = ({ BlockDeviceMappings = [] }: Instance): ReadonlySet<string> =>
  new Set(BlockDeviceMappings.map(({ DeviceName = "" }) => DeviceName.slice(-1)));

/** Each volume starts at another letter, so that concurrent calls seldom choose the same one. */
const chosen = ({ instance, volume, mountpoint }: Disk): string => {
  const used = lettersOf(instance);
  if (mountpoint !== "") {
    const device = deviceOf(mountpoint);
    if (device === null) throw new Impossible(`mountpoint is not possible with EC2: ${DEVICES}`);
    if (used.has(device.slice(-1))) throw new Impossible(`${mountpoint} is another disk's`);
    return device;
  }
  const first = Number.parseInt(digest(volume.id).slice(0, 4), 16) % LETTERS.length;
  const inTurn = [...LETTERS.slice(first), ...LETTERS.slice(0, first)];
  const letter = inTurn.find((one) => !used.has(one));
  if (letter === undefined) throw new Impossible("the server has no free device");
  return `/dev/sd${letter}`;
};

/** Another call was faster, the instance is not ready, or the letter is in use. */
const LATER = ["VolumeInUse", "IncorrectState", "IncorrectInstanceState"] as const;
const TAKEN = /already in use/;

const unlessLater = ignoring(
  (error) => hasCode(error, ...LATER) || (error instanceof Refused && TAKEN.test(error.message)),
);

/** Returns whether it is attached. Throws Impossible if another server has the volume. */
export const attached = async ({ ec2, abort }: At, disk: Disk): Promise<boolean> => {
  const { instance, volume } = disk;
  const there = attachmentOf(volume);
  const id = idOfInstance(instance);
  if (there === null) {
    const given = { VolumeId: volume.id, InstanceId: id, Device: chosen(disk) };
    await unlessLater(ec2.attachVolume(given, abort));
    return false;
  }
  if (there.InstanceId === id) return there.State === "attached";
  if (there.State === "detaching") return false;
  throw new Impossible(`the volume ${volume.id} is a disk of ${there.InstanceId}`);
};

const unlessDetached = ignoring((error) => isMissing(error) || hasCode(error, "IncorrectState"));

const detach = async (
  { ec2, abort }: At,
  { VolumeId, InstanceId, State }: VolumeAttachment,
): Promise<void> => {
  if (State === "detaching") return;
  await unlessDetached(ec2.detachVolume({ VolumeId, InstanceId }, abort));
};
