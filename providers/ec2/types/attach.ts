import type { Instance, Volume, VolumeAttachment } from "@aws-sdk/client-ec2";
import type { Call } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { digest } from "#providers/object-names.ts";
import { type Ec2Account, hasCode, Impossible, ignoring, isMissing } from "../account.ts";
import type { Seen } from "../objects/looks.ts";
import { idOfInstance } from "./instances.ts";

/** AWS recommends these letters for volumes. */
export const LETTERS: readonly string[] = [..."fghijklmnop"];
const DEVICE_NAME = /^(?:\/dev\/)?(?:vd|sd|xvd)([b-z])$/;

/** Only the letter of a mountpoint counts: the instance decides how it names the device. */
export const deviceOf = (mountpoint: string): string | null => {
  const [, letter] = DEVICE_NAME.exec(mountpoint) ?? [];
  return letter === undefined ? null : `/dev/sd${letter}`;
};

export const DEVICES = "EC2 has devices from /dev/sdb to /dev/sdz";

export interface Disk {
  readonly instance: Instance;
  readonly volume: Seen<Volume>;
  readonly mountpoint: string;
}

export const attachmentOf = ({ own }: Seen<Volume>): VolumeAttachment | null =>
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
export const attached = async (
  { ec2 }: Ec2Account,
  { signal }: Pick<Call, "signal">,
  disk: Disk,
): Promise<boolean> => {
  const { instance, volume } = disk;
  const there = attachmentOf(volume);
  const id = idOfInstance(instance);
  if (there === null) {
    const given = { VolumeId: volume.id, InstanceId: id, Device: chosen(disk) };
    await unlessLater(ec2.attachVolume(given, { abortSignal: signal }));
    return false;
  }
  if (there.InstanceId === id) return there.State === "attached";
  if (there.State === "detaching") return false;
  throw new Impossible(`the volume ${volume.id} is a disk of ${there.InstanceId}`);
};

const unlessDetached = ignoring((error) => isMissing(error) || hasCode(error, "IncorrectState"));

export const detach = async (
  { ec2 }: Ec2Account,
  { signal }: Pick<Call, "signal">,
  { VolumeId, InstanceId, State }: VolumeAttachment,
): Promise<void> => {
  if (State === "detaching") return;
  await unlessDetached(ec2.detachVolume({ VolumeId, InstanceId }, { abortSignal: signal }));
};
