/** OS::Cinder::Volume: a volume of the engine, which does not enforce the size. */
import type { Answer, Call, JsonObject, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { asked, type BackEnd, textOfRefusal, waiting } from "../back-end.ts";
import {
  dropOwnRecord,
  LABELS,
  labelsFor,
  markedRecords,
  recordOfId,
  recordsOf,
  takeRecord,
} from "../objects.ts";

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

const create = async (backEnd: BackEnd, call: Call): Promise<Answer> => {
  const wrong = refuseVolume(call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const id = idOf(call.token);
  await takeRecord(backEnd, "volume", id, labelsFor(call, "volume", id, nameOf(call, id)));
  return { state: "finished", physicalId: id, attributes: attributesOf(call, id) };
};

export const volumeName = async (
  backEnd: BackEnd,
  tenant: string,
  id: string,
): Promise<string | null> => (await recordOfId(backEnd, tenant, "volume", id))?.name ?? null;

const remove = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> =>
  (await dropOwnRecord(backEnd, call, "volume", call.physicalId))
    ? { state: "finished" }
    : waiting(call.physicalId);

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
  create: (call) => asked(() => create(backEnd, call), idOf(call.token)),
  update: (call) =>
    asked(async () => {
      const found = await volumeName(backEnd, call.tenant, call.physicalId);
      if (found === null) return { state: "gone" };
      return { state: "finished", attributes: attributesOf(call, call.physicalId) };
    }),
  repairable: true,
  delete: (call) => asked(() => remove(backEnd, call)),
  poll: (call) => asked(() => remove(backEnd, call)),
  cancel: async () => undefined,
  check: (call) =>
    asked(async () => {
      const found = await volumeName(backEnd, call.tenant, call.physicalId);
      return { state: found === null ? "gone" : "finished" };
    }),
  list: async () => (await recordsOf(backEnd, "volume", {})).map((one) => one[LABELS.id] ?? ""),
  marked: markedRecords(backEnd, "volume"),
});
