/**
 * OS::Cinder::VolumeAttachment. The physical id contains the ids of the server and the volume. Nova
 * attaches a volume once, so a repeated call makes no second attachment.
 */
import * as z from "zod/mini";
import type { Answer, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { isChanged } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { VOLUME_ATTACHMENT_PROPERTIES } from "../../network-schemas.ts";
import { textOf } from "../../values.ts";
import { type At, askCinder, askNova, inUse, type Site, stepsIn, waitFor } from "../asked.ts";
import {
  BAD_REQUEST,
  CONFLICT,
  expectGone,
  Impossible,
  isSuccess,
  messageOf,
  readAnswer,
  readIfThere,
  refusedBy,
} from "../cloud.ts";
import { serverOf } from "../nova/servers.ts";

interface Link {
  readonly server: string;
  readonly volume: string;
}

const textOfLink = ({ server, volume }: Link): string => `${server}:${volume}`;

const readLink = (text: string): Link => {
  const [server = "", volume = ""] = text.split(":");
  return { server, volume };
};

const pathOf = ({ server, volume }: Link): string =>
  `/servers/${server}/os-volume_attachments/${volume}`;

const attachment = z.object({ volumeAttachment: z.object({ volumeId: z.string() }) });

const isThere = async (at: At, link: Link): Promise<boolean> =>
  readIfThere(attachment, await askNova(at, { method: "GET", path: pathOf(link) })) !== null;

const volumeStatus = z.object({ volume: z.object({ status: z.string() }) });

const statusOf = async (at: At, volume: string) => {
  const answer = await askCinder(at, { method: "GET", path: `/volumes/${volume}` });
  return readIfThere(volumeStatus, answer)?.volume.status ?? null;
};

/** With any other handle the former attachment is still being removed. */
const ATTACH = "attach";

const waiting = (at: At, link: Link): Answer => waitFor(at, textOfLink(link), ATTACH);

/** Nova lists an attachment before the volume is in use. */
const progress = async (at: At, link: Link): Promise<Answer> => {
  const status = await statusOf(at, link.volume);
  if (status === "in-use") return { state: "finished", physicalId: textOfLink(link) };
  if (status === null || status.startsWith("error")) {
    const reason = `OpenStack: the volume's status is ${status ?? "deleted"}`;
    return { state: "failed", reason, physicalId: textOfLink(link) };
  }
  return waiting(at, link);
};

const isLeaving = async (at: At, { volume }: Link): Promise<boolean> =>
  ["detaching", "creating", "reserved", "attaching"].includes((await statusOf(at, volume)) ?? "");

/** Throws Impossible. */
const wantedLink = async (at: At): Promise<Link> => {
  const { properties } = at.call;
  const named = textOf(properties["instance_uuid"]);
  const server = await serverOf(at, named);
  if (server === null) throw new Impossible(`The Server (${named}) could not be found.`);
  return { server: server.id, volume: textOf(properties["volume_id"]) };
};

const attach = async (at: At, link: Link): Promise<Answer> => {
  if (await isThere(at, link)) return progress(at, link);
  const device = textOf(at.call.properties["mountpoint"]);
  const json = {
    volumeAttachment: { volumeId: link.volume, ...(device === "" ? {} : { device }) },
  };
  const path = `/servers/${link.server}/os-volume_attachments`;
  const answer = await askNova(at, { method: "POST", path, json });
  if (isSuccess(answer)) {
    readAnswer(attachment, answer);
    return waiting(at, link);
  }
  if (await isThere(at, link)) return progress(at, link);
  if (answer.status === CONFLICT || (await isLeaving(at, link))) {
    return { state: "throttled", afterSeconds: at.pace.pollSeconds };
  }
  throw refusedBy(answer);
};

const create = async (at: At): Promise<Answer> => attach(at, await wantedLink(at));

/** @returns null when the volume is free, or else why it is not yet */
const detach = async (at: At, link: Link): Promise<string | null> => {
  if (!(await isThere(at, link))) {
    const isLeft = (await statusOf(at, link.volume)) === "detaching";
    return isLeft ? "the volume is still detaching" : null;
  }
  const answer = await askNova(at, { method: "DELETE", path: pathOf(link) });
  const { status } = answer;
  // Nova answers 400 if the volume is already detaching.
  if (status === CONFLICT || status === BAD_REQUEST) return messageOf(answer);
  expectGone(answer);
  return "the volume does not detach";
};

/**
 * As in Heat, the former attachment is removed first, whatever has changed. Nova may choose another
 * device than the one asked for. So the handle, and not the device, tells a new attachment from the
 * former one.
 */
const update = async (at: At<Step>): Promise<Answer> => {
  const { physicalId, handle } = at.call;
  const link = await wantedLink(at);
  const isOther = textOfLink(link) !== physicalId || isChanged(at.call, "mountpoint");
  if (handle === ATTACH || !isOther) return attach(at, link);
  const why = await detach(at, readLink(physicalId));
  return why === null ? waiting(at, link) : inUse(at, why);
};

const check = async (at: At<ObjectCall>): Promise<Answer> => ({
  state: (await isThere(at, readLink(at.call.physicalId))) ? "finished" : "gone",
});

const remove = async (at: At<Step>): Promise<Answer> => {
  const why = await detach(at, readLink(at.call.physicalId));
  return why === null ? { state: "finished" } : inUse(at, why);
};

export const volumeAttachment = (site: Site): ProvidedType => ({
  description: "A volume of a server.",
  properties: VOLUME_ATTACHMENT_PROPERTIES,
  tokens: "kept",
  ...stepsIn(site, {
    create,
    created: (at) => progress(at, readLink(at.call.physicalId)),
    update,
    remove,
    check,
  }),
});
