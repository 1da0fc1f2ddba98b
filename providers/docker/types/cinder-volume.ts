/** OS::Cinder::Volume: a volume of the engine, which does not enforce the size. */
import type { Answer, Call, JsonObject, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { type At, type BackEnd, stepsIn, textOfRefusal, waiting } from "../back-end.ts";
import { dropOwnRecord, labelsFor, listsOfRecords, recordOfId, takeRecord } from "../objects.ts";

const VOLUME: Empties = {
  availability_zone: "one engine is one machine",
  snapshot_id: "the engine has no snapshots of volumes",
  backup_id: "the engine has no backups of volumes",
  source_volid: "the engine does not copy volumes",
  image: "a volume of the engine begins empty",
  volume_type: "the engine's volumes are folders of its machine",
  scheduler_hints: "one engine is one machine",
};

export const VOLUME_NOTE = "A volume of Docker's, which grows as it is filled: size is no limit";

export const refuseVolume: Refuse = (properties) => refuseFilled(properties, VOLUME);

const attributesOf = (call: Call, id: string): JsonObject => ({
  display_name: nameOf(call, id),
  size: String(call.properties["size"] ?? ""),
  status: "available",
  bootable: "False",
  encrypted: "False",
});

const create = async (at: At): Promise<Answer> => {
  const wrong = refuseVolume(at.call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const id = idOf(at.call.token);
  await takeRecord(at, "volume", id, labelsFor(at.call, "volume", id, nameOf(at.call, id)));
  return { state: "finished", physicalId: id, attributes: attributesOf(at.call, id) };
};

export const volumeName = async (at: At, id: string): Promise<string | null> =>
  (await recordOfId(at, "volume", id))?.name ?? null;

const update = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId } = at.call;
  if ((await volumeName(at, physicalId)) === null) return { state: "gone" };
  return { state: "finished", attributes: attributesOf(at.call, physicalId) };
};

const remove = async (at: At<ObjectCall>): Promise<Answer> =>
  (await dropOwnRecord(at, "volume", at.call.physicalId))
    ? { state: "finished" }
    : waiting(at.call.physicalId);

const check = async (at: At<ObjectCall>): Promise<Answer> => ({
  state: (await volumeName(at, at.call.physicalId)) === null ? "gone" : "finished",
});

export const cinderVolume = (backEnd: BackEnd): ProvidedType => ({
  description: "A volume of the engine.",
  properties: {
    name: { type: "string", updateAllowed: true },
    size: { type: "integer", updateAllowed: true },
  },
  attributes: {
    display_name: { type: "string" },
    size: { type: "string" },
    status: { type: "string" },
    bootable: { type: "string" },
    encrypted: { type: "string" },
  },
  tokens: "kept",
  ...stepsIn(backEnd, { create, update, remove, check }),
  repairable: true,
  ...listsOfRecords(backEnd, "volume"),
});
