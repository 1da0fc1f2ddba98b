import type { Instance, InstanceNetworkInterface, Tag } from "@aws-sdk/client-ec2";
import type { ObjectCall } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { type At, hasCode, ignoring, isMissing } from "../account.ts";
import { isBusy } from "../asked.ts";
import { byId, INTERFACES } from "../objects/looks.ts";
import { NAME, TAGS, tagged, tagsFor } from "../tags.ts";
import { idOfInstance } from "./instances.ts";
import {
  cameWithInstance,
  type InterfacePlan,
  markedInterfaces,
  planInterfaces,
  type WantedInterface,
} from "./server-interfaces.ts";
import { groupsOf } from "./server-networks.ts";

/** Without a name, so that no template can use the interface as a port. */
const marksFor = (call: ObjectCall): Tag[] =>
  tagsFor(call, "", { [TAGS.id]: call.physicalId }).filter(({ Key }) => Key !== NAME);

/** Another call was faster, the other side is not ready, or a server is detaching the interface. */
const LATER = ["IncorrectState", "IncorrectInstanceState", "IncorrectInstanceStatus"] as const;

const TAKEN = /already (?:has|attached)/;

const isLater = (error: unknown): boolean =>
  isMissing(error) ||
  isBusy(error) ||
  hasCode(error, ...LATER) ||
  (error instanceof Refused && TAKEN.test(error.message));

const unlessLater = ignoring(isLater);

/**
 * An interface that was made with the instance is tagged first. Otherwise nobody would find it
 * after a crash between its detach and its removal.
 */
const detach = async (
  { ec2, call, abort }: At<ObjectCall>,
  one: InstanceNetworkInterface,
  { marked }: InterfacePlan,
): Promise<void> => {
  const { NetworkInterfaceId: id = "", Attachment } = one;
  if (cameWithInstance(one) && !marked.has(id)) {
    await ec2.createTags({ Resources: [id], Tags: marksFor(call) }, abort);
  }
  if (Attachment?.Status === "detaching") return;
  const given = { AttachmentId: Attachment?.AttachmentId };
  await unlessLater(ec2.detachNetworkInterface(given, abort));
};

const removeAll = async (
  { ec2, abort }: At,
  interfaces: InterfacePlan["unused"],
): Promise<boolean> => {
  for (const { id } of interfaces) {
    await unlessLater(ec2.deleteNetworkInterface({ NetworkInterfaceId: id }, abort));
  }
  return interfaces.length > 0;
};

export const removeInterfaces = async (at: At<ObjectCall>): Promise<boolean> =>
  removeAll(at, await markedInterfaces(at));

/** @returns null when the interface that the last call has made is not visible yet */
export const plannedInterfaces = async (
  at: At<ObjectCall>,
  instance: Instance,
  handle: string,
): Promise<InterfacePlan | null> => {
  const isMade = INTERFACES.id.test(handle);
  if (isMade && (await byId(at, INTERFACES, handle)) === null) return null;
  return planInterfaces(at, instance);
};

export const detachSurplus = async (at: At<ObjectCall>, plan: InterfacePlan): Promise<boolean> => {
  for (const one of plan.surplus) await detach(at, one, plan);
  return plan.surplus.length === 0 && !(await removeAll(at, plan.unused));
};

const make = async (
  at: At<ObjectCall>,
  { place, subnets: [subnet], address }: WantedInterface,
): Promise<string> => {
  const groups = await groupsOf(at);
  const given = {
    SubnetId: subnet,
    ...(address === "" ? {} : { PrivateIpAddress: address }),
    ...(groups.length === 0 ? {} : { Groups: [...groups] }),
    TagSpecifications: tagged("network-interface", marksFor(at.call)),
    ClientToken: clientTokenOf(at.call.token, String(place)),
  };
  const { NetworkInterface: made } = await at.ec2.createNetworkInterface(given, at.abort);
  return made?.NetworkInterfaceId ?? "";
};

const freeIndex = ({ NetworkInterfaces = [] }: Instance): number => {
  const used = new Set(NetworkInterfaces.map(({ Attachment }) => Attachment?.DeviceIndex));
  let index = 1;
  while (used.has(index)) index += 1;
  return index;
};

/** @returns the handle for the next poll, or null when everything is attached */
export const attachNext = async (
  at: At<ObjectCall>,
  instance: Instance,
  { missing: [first], isSettled }: InterfacePlan,
): Promise<string | null> => {
  const id = idOfInstance(instance);
  if (first === undefined) return isSettled ? null : id;
  if (first.id === null) return make(at, first.wanted);
  const given = {
    NetworkInterfaceId: first.id,
    InstanceId: id,
    DeviceIndex: freeIndex(instance),
  };
  await unlessLater(at.ec2.attachNetworkInterface(given, at.abort));
  return id;
};
