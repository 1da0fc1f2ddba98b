/** OS::Cinder::VolumeAttachment. As in Heat, its physical id is the volume's. */
import type { Instance, Volume, VolumeAttachment } from "@aws-sdk/client-ec2";
import type { Answer, Call, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { VOLUME_ATTACHMENT_PROPERTIES } from "#providers/network-schemas.ts";
import { digest } from "#providers/object-names.ts";
import { isChanged, type Refuse, refusedBy } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import {
  type Ec2Account,
  type Ec2Accounts,
  foundLater,
  hasCode,
  Impossible,
  ignoring,
  isMissing,
} from "../account.ts";
import { failed, inAccount, looksAgain } from "../asked.ts";
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

const serverIn = ({ tenant, signal }: Call, properties: Call["properties"] | null) => ({
  physicalId: textOf(properties?.["instance_uuid"]),
  tenant,
  signal,
});

const attach = async (account: Ec2Account, call: Call): Promise<Answer> => {
  const { properties, signal } = call;
  const wrong = refuseVolumeAttachment(properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  const volume = await reach(account, VOLUMES, call, textOf(properties["volume_id"]));
  const server = serverIn(call, properties);
  const instance = await foundLater(account, signal, () => instanceOf(account, server));
  if (instance === null) throw missing("Server", server.physicalId);
  const disk = { instance, volume, mountpoint: textOf(properties[MOUNTPOINT]) };
  const isDone = await attached(account, call, disk);
  return isDone
    ? { state: "finished", physicalId: volume.id }
    : looksAgain(account, volume.id, volume.id);
};

/** The attachment belongs to this resource if the volume's server is one of `givens`. */
const own = async (
  account: Ec2Account,
  call: ObjectCall,
  givens: readonly (Call["properties"] | null)[],
): Promise<VolumeAttachment | null> => {
  const volume = await byId(account, VOLUMES, call.physicalId, call.signal);
  if (volume === null || !isOfProject(volume.tags, call.tenant)) return null;
  return ofServers(account, call, volume, givens);
};

const ofServers = async (
  account: Ec2Account,
  call: ObjectCall,
  volume: Seen<Volume>,
  givens: readonly (Call["properties"] | null)[],
): Promise<VolumeAttachment | null> => {
  const there = attachmentOf(volume);
  if (there === null) return null;
  for (const given of givens) {
    const server = serverIn(call, given);
    const instance = server.physicalId === "" ? null : await instanceOf(account, server);
    if (instance !== null && idOfInstance(instance) === there.InstanceId) return there;
  }
  return null;
};

const update = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const { physicalId, previousProperties } = call;
  if (isChanged(call, "volume_id")) return { state: "replace" };
  const wrong = refuseVolumeAttachment(call.properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  if (isChanged(call, "instance_uuid")) {
    const former = await own(account, call, [previousProperties]);
    if (former !== null) {
      await detach(account, call, former);
      return looksAgain(account, physicalId, physicalId);
    }
  }
  const device = deviceOf(textOf(call.properties[MOUNTPOINT]));
  const there = await own(account, call, [call.properties]);
  if (there !== null && device !== null && there.Device?.slice(-1) !== device.slice(-1)) {
    await detach(account, call, there);
    return looksAgain(account, physicalId, physicalId);
  }
  return attach(account, call);
};

const remove = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const there = await own(account, call, [call.properties, call.previousProperties]);
  if (there === null) return { state: "finished" };
  await detach(account, call, there);
  return looksAgain(account, call.physicalId, call.physicalId);
};

const check = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => ({
  state: (await own(account, call, [call.properties])) === null ? "gone" : "finished",
});

export const volumeAttachment = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A volume of a server.",
  properties: VOLUME_ATTACHMENT_PROPERTIES,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, attach),
  poll: inAccount(accounts, (account, call: WaitingCall) => {
    if (call.action === "CREATE") return attach(account, call);
    return call.action === "UPDATE" ? update(account, call) : remove(account, call);
  }),
  cancel: async () => undefined,
  update: inAccount(accounts, update),
  delete: inAccount(accounts, remove),
  check: inAccount(accounts, check),
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

const detach = async (
  { ec2 }: Ec2Account,
  { signal }: Pick<Call, "signal">,
  { VolumeId, InstanceId, State }: VolumeAttachment,
): Promise<void> => {
  if (State === "detaching") return;
  await unlessDetached(ec2.detachVolume({ VolumeId, InstanceId }, { abortSignal: signal }));
};
