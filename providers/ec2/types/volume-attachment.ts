/** OS::Cinder::VolumeAttachment. As in Heat, its physical id is the volume's. */
import type { Volume, VolumeAttachment } from "@aws-sdk/client-ec2";
import type { Answer, Call, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { isChanged } from "#providers/changed.ts";
import { VOLUME_ATTACHMENT_PROPERTIES } from "#providers/network-schemas.ts";
import { type Refuse, refusedBy } from "#providers/refused-properties.ts";
import { textOf } from "#providers/values.ts";
import { type Ec2Account, type Ec2Accounts, foundLater } from "../account.ts";
import { failed, inAccount, looksAgain } from "../asked.ts";
import { byId, type Seen, VOLUMES } from "../objects/looks.ts";
import { missing, reach } from "../objects/reach.ts";
import { isOfProject } from "../tags.ts";
import { attached, attachmentOf, DEVICES, detach, deviceOf } from "./attach.ts";
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
