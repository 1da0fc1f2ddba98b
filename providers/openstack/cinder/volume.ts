/** OS::Cinder::Volume. The mark is in the metadata, by which Cinder can list. */
import * as z from "zod/mini";
import type {
  Answer,
  Call,
  Json,
  JsonObject,
  ObjectCall,
  ProvidedType,
} from "#provider/provider.ts";
import { type Empties, isChanged, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { hasAll } from "#providers/values.ts";
import { attributeSchemas, VOLUME_SCHEMAS } from "../../network-schemas.ts";
import { nameOf } from "../../object-names.ts";
import { isObject, textOf } from "../../values.ts";
import {
  type At,
  askCinder,
  changedOutside,
  expectPossible,
  inUse,
  lookTwice,
  type Site,
  stepsIn,
  twinsOf,
  waitFor,
} from "../asked.ts";
import {
  BAD_REQUEST,
  CONFLICT,
  expectDone,
  isSuccess,
  messageOf,
  NOT_FOUND,
  readAnswer,
  readIfThere,
  readMade,
  recordOf,
  refusedBy,
} from "../cloud.ts";
import { METADATA, markedIn, markOf, namesIn, refuseOwnMarks } from "../marks.ts";
import { idByName, PLACES } from "../names.ts";

const VOLUME: Empties = {
  backup_id: "restore the backup yourself, and adopt the volume by external_id",
  read_only: "attach the volume as the server needs it",
  multiattach: "give a volume_type with multiattach",
};

export const refuseVolume: Refuse = (properties) =>
  refuseFilled(properties, VOLUME) ?? refuseOwnMarks(properties);

const volumeSchema = z.object({
  id: z.string(),
  status: z.string(),
  size: z.number(),
  name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  metadata: z._default(recordOf(z.string()), {}),
  volume_type: z.optional(z.nullable(z.string())),
  availability_zone: z.optional(z.nullable(z.string())),
  snapshot_id: z.optional(z.nullable(z.string())),
  source_volid: z.optional(z.nullable(z.string())),
  created_at: z.optional(z.nullable(z.string())),
  bootable: z.optional(z.string()),
  encrypted: z.optional(z.boolean()),
  multiattach: z.optional(z.boolean()),
  attachments: z._default(z.array(z.record(z.string(), z.json())), []),
});

type CinderVolume = z.infer<typeof volumeSchema>;

const one = z.object({ volume: volumeSchema });
const many = z.object({ volumes: z.array(volumeSchema) });

const withId = async (at: At, id: string): Promise<CinderVolume | null> => {
  const path = `/volumes/${encodeURIComponent(id)}`;
  return readIfThere(one, await askCinder(at, { method: "GET", path }))?.volume ?? null;
};

/** Sorted, so that every call keeps the same volume. */
const withMark = async (at: At, mark: string): Promise<readonly CinderVolume[]> => {
  // Cinder parses this filter as a Python literal.
  const query = { metadata: `{'${METADATA.id}': '${mark}'}` };
  const answer = await askCinder(at, { method: "GET", path: "/volumes/detail", query });
  return readAnswer(many, answer)
    .volumes.filter(({ metadata }) => metadata[METADATA.id] === mark)
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
};

const VOLUMES = {
  service: "volume",
  path: "/volumes/detail",
  member: "volumes",
  item: volumeSchema,
} as const;

const metadataOf = ({ properties, stackName, resourceName }: Call, mark: string) => {
  const { metadata } = properties;
  return {
    ...(isObject(metadata) ? metadata : {}),
    [METADATA.id]: mark,
    [METADATA.stack]: stackName,
    [METADATA.resource]: resourceName,
  };
};

const attributesOf = (volume: CinderVolume): JsonObject => ({
  availability_zone: volume.availability_zone ?? null,
  size: String(volume.size),
  snapshot_id: volume.snapshot_id ?? null,
  display_name: volume.name,
  display_description: volume.description,
  volume_type: volume.volume_type ?? null,
  metadata: JSON.stringify(volume.metadata),
  source_volid: volume.source_volid ?? null,
  status: volume.status,
  created_at: volume.created_at ?? null,
  bootable: volume.bootable ?? null,
  metadata_values: volume.metadata,
  encrypted: String(volume.encrypted ?? false),
  attachments: JSON.stringify(volume.attachments),
  attachments_list: volume.attachments,
  multiattach: volume.multiattach ?? false,
});

const waiting = (at: At, { id }: Pick<CinderVolume, "id">): Answer => waitFor(at, id, id);

const finished = (volume: CinderVolume): Answer => ({
  state: "finished",
  physicalId: volume.id,
  attributes: attributesOf(volume),
});

/** Cinder could not delete the volume. The delete of the resource tries again. */
const NOT_DELETED = "error_deleting";

const isBroken = ({ status }: CinderVolume): boolean => status.startsWith("error");
const isReady = ({ status }: CinderVolume): boolean => ["available", "in-use"].includes(status);

const drop = async (at: At, id: string) =>
  askCinder(at, { method: "DELETE", path: `/volumes/${id}` });

const progress = async (at: At, volume: CinderVolume): Promise<Answer> => {
  if (isBroken(volume)) {
    const reason = `OpenStack: the volume's status is ${volume.status}`;
    return { state: "failed", reason, physicalId: volume.id };
  }
  if (!isReady(volume)) return waiting(at, volume);
  const mark = volume.metadata[METADATA.id];
  if (mark === undefined) return finished(volume);
  const seen = await twinsOf(at, volume.id, () => withMark(at, mark));
  const [first = volume, ...others] = seen;
  // Cinder refuses to delete a volume that is being created or deleted.
  for (const other of others) if (isReady(other) || isBroken(other)) await drop(at, other.id);
  const isAlone = others.every(({ status }) => status === NOT_DELETED);
  return isAlone && first.id === volume.id ? finished(first) : waiting(at, first);
};

const requestOf = async (at: At): Promise<JsonObject> => {
  const { call } = at;
  const { properties } = call;
  const image = textOf(properties["image"]) || textOf(properties["imageRef"]);
  const named = ["snapshot_id", "source_volid", "volume_type", "availability_zone", "description"];
  const given = named.flatMap((name) =>
    textOf(properties[name]) === "" ? [] : [[name, textOf(properties[name])] as const],
  );
  const { scheduler_hints: hints } = properties;
  return {
    volume: {
      name: nameOf(call, markOf(call)),
      size: properties["size"] ?? null,
      metadata: metadataOf(call, markOf(call)),
      ...Object.fromEntries(given),
      ...(image === "" ? {} : { imageRef: await idByName(at, PLACES.image, image) }),
    },
    ...(isObject(hints) ? { "OS-SCH-HNT:scheduler_hints": hints } : {}),
  };
};

const made = z.object({ volume: z.object({ id: z.string() }) });

const create = async (at: At): Promise<Answer> => {
  expectPossible(refuseVolume(at.call.properties));
  const json = await requestOf(at);
  return waiting(
    at,
    readMade(made, await askCinder(at, { method: "POST", path: "/volumes", json })).volume,
  );
};

const find = async (at: At): Promise<Answer | null> => {
  const found = await lookTwice(at, async () => (await withMark(at, markOf(at.call)))[0] ?? null);
  return found && progress(at, found);
};

const pollCreate = async (at: At<ObjectCall>): Promise<Answer> => {
  const volume = await lookTwice(
    at,
    async () =>
      (await withId(at, at.call.physicalId)) ?? (await withMark(at, markOf(at.call)))[0] ?? null,
  );
  return volume === null
    ? { state: "failed", reason: "the volume is gone before it was ready" }
    : progress(at, volume);
};

const extend = async (at: At, { id }: CinderVolume, size: number): Promise<Answer> => {
  const json = { "os-extend": { new_size: size } };
  const answer = await askCinder(at, { method: "POST", path: `/volumes/${id}/action`, json });
  // A repeated request is refused, because the first one already extends the volume.
  const extended = isSuccess(answer) ? null : await withId(at, id);
  const isUnderWay = extended?.status === "extending" || extended?.size === size;
  if (!isUnderWay) expectDone(answer);
  return waiting(at, { id });
};

const descriptionOf = ({ call }: At<ObjectCall>, volume: CinderVolume) => {
  const { properties } = call;
  const wanted = {
    name: textOf(properties["name"]) || volume.name,
    description: textOf(properties["description"]) || volume.description,
    metadata: metadataOf(call, volume.metadata[METADATA.id] ?? call.physicalId),
  };
  const { name, description, metadata } = volume;
  const live: JsonObject = { name, description, metadata };
  const names = Object.entries<Json>(wanted).flatMap(([key, value]) =>
    hasAll(value, live[key]) ? [] : [key],
  );
  return { wanted, names };
};

const describe = async (at: At<ObjectCall>, volume: CinderVolume): Promise<void> => {
  const { wanted, names } = descriptionOf(at, volume);
  const hasMore = Object.keys(volume.metadata).length !== Object.keys(wanted.metadata).length;
  if (names.length === 0 && !hasMore) return;
  const path = `/volumes/${volume.id}`;
  expectDone(await askCinder(at, { method: "PUT", path, json: { volume: wanted } }));
};

const update = async (at: At<ObjectCall>): Promise<Answer> => {
  const { properties, previousProperties, physicalId } = at.call;
  expectPossible(refuseVolume(properties));
  const before = previousProperties?.["volume_type"] ?? null;
  if (previousProperties !== null && before !== (properties["volume_type"] ?? null)) {
    expectPossible({ property: "volume_type", why: "a volume keeps its type" });
  }
  const volume = await withId(at, physicalId);
  if (volume === null) return { state: "gone" };
  // As in Heat. A failed extension leaves another status, and the data are intact.
  if (at.call.repairs && volume.status === "error") return { state: "replace" };
  if (isBroken(volume)) {
    return { state: "failed", reason: `OpenStack: the volume's status is ${volume.status}` };
  }
  if (!isReady(volume)) return waiting(at, volume);
  const { size } = properties;
  // A volume that somebody has extended keeps its size, since Cinder cannot shrink it.
  const isLarger = typeof size === "number" && size < volume.size && !isChanged(at.call, "size");
  if (typeof size === "number" && size !== volume.size && !isLarger) {
    if (size < volume.size) {
      return { state: "failed", reason: `OpenStack: a volume cannot shrink to ${size}` };
    }
    return extend(at, volume, size);
  }
  await describe(at, volume);
  return finished((await withId(at, physicalId)) ?? volume);
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const volume = await withId(at, at.call.physicalId);
  if (volume === null) return { state: "gone" };
  const isOwn = at.call.previousProperties !== null;
  const names = isOwn ? descriptionOf(at, volume).names : [];
  if (isReady(volume)) return names.length === 0 ? finished(volume) : changedOutside(names);
  return {
    state: "failed",
    reason: `the volume's status is ${volume.status}`,
    ...(volume.status === "error" ? { health: "beyond repair" } : {}),
  };
};

const remove = async (at: At<Step>): Promise<Answer> => {
  const { physicalId } = at.call;
  const volume = await withId(at, physicalId);
  if (volume === null) return { state: "finished" };
  const mark = volume.metadata[METADATA.id];
  const twins = mark === undefined ? [] : await withMark(at, mark);
  let refusal: string | null = null;
  for (const id of new Set([...twins.map((twin) => twin.id), physicalId])) {
    const answer = await drop(at, id);
    if (isSuccess(answer) || answer.status === NOT_FOUND) continue;
    // Cinder answers 400 if the volume cannot be deleted now.
    if (answer.status !== CONFLICT && answer.status !== BAD_REQUEST) throw refusedBy(answer);
    refusal ??= messageOf(answer);
  }
  return inUse(at, refusal ?? "the volume does not go");
};

export const volume = (site: Site): ProvidedType => ({
  description: "A volume.",
  properties: VOLUME_SCHEMAS.properties,
  attributes: attributeSchemas(VOLUME_SCHEMAS.attributes),
  tokens: "searchable",
  ...stepsIn(site, { create, created: pollCreate, find, update, remove, check }),
  repairable: true,
  marked: markedIn(site, VOLUMES, ({ id, metadata }) =>
    metadata[METADATA.id] === undefined ? null : { physicalId: id, ...namesIn(metadata) },
  ),
});
