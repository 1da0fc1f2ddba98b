import type { Volume, VolumeType } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { VOLUME_SCHEMAS } from "#providers/network-schemas.ts";
import { type Empties, isChanged, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { isObject, textOf } from "#providers/values.ts";
import { type At, hasCode, Impossible, ignoring, orMissing } from "../account.ts";
import { differs, failed } from "../asked.ts";
import { type Seen, VOLUMES } from "../objects/looks.ts";
import { nameIn, type ObjectType, TOKEN_WINDOW, tagsOfNew } from "../objects/object-type.ts";
import { zoneOf } from "../objects/place.ts";
import { refuseTags, tagged } from "../tags.ts";

const VOLUME: Empties = {
  backup_id: "EC2 has snapshots only; give snapshot_id",
  source_volid: "EC2 copies snapshots only; give snapshot_id",
  image: "EC2 makes an image's disk with its instance; give snapshot_id",
  imageRef: "EC2 makes an image's disk with its instance; give snapshot_id",
  scheduler_hints: "EC2 schedules by itself",
  read_only: "EC2 has no such volumes; mount it so",
  multiattach: "a volume has one server",
};

/** Other types need a number of IOPS, which Cinder has no property for. */
const TYPES = ["gp2", "gp3", "st1", "sc1", "standard"] as const satisfies readonly VolumeType[];

const typeOf = (properties: JsonObject): VolumeType | undefined =>
  TYPES.find((type) => type === properties["volume_type"]);

export const refuseVolume: Refuse = (properties) =>
  refuseFilled(properties, VOLUME) ??
  (textOf(properties["volume_type"]) !== "" && typeOf(properties) === undefined
    ? { property: "volume_type", why: `EC2 has ${TYPES.join(", ")}` }
    : null) ??
  refuseTags(properties);

const sizeOf = ({ size }: JsonObject): number | undefined =>
  typeof size === "number" ? size : undefined;

const isReady = ({ State }: Volume): boolean => State === "available" || State === "in-use";

/** While EC2 modifies a volume, it reports the old size. */
const isChanging = async (at: At, id: string): Promise<boolean> => {
  const asked = at.ec2.describeVolumesModifications({ VolumeIds: [id] }, at.abort);
  const { VolumesModifications = [] } = (await orMissing(asked)) ?? {};
  return VolumesModifications.some(({ ModificationState: state }) => state === "modifying");
};

const unlessBusy = ignoring((error) => hasCode(error, "IncorrectModificationState"));

const change = async (at: At, { id, own }: Seen<Volume>): Promise<boolean> => {
  const [size, type] = [sizeOf(at.call.properties), typeOf(at.call.properties)];
  const { Size: there = 0 } = own;
  // A volume that somebody has enlarged keeps its size.
  const isAsked = size !== undefined && size > there;
  if (size !== undefined && size < there && isChanged(at.call, "size")) {
    throw new Impossible(`a volume cannot shrink from ${there} to ${size}`);
  }
  const given = {
    ...(isAsked ? { Size: size } : {}),
    ...(type === undefined || type === own.VolumeType ? {} : { VolumeType: type }),
  };
  if (Object.keys(given).length === 0) return true;
  if (!(await isChanging(at, id))) {
    await unlessBusy(at.ec2.modifyVolume({ VolumeId: id, ...given }, at.abort));
  }
  return false;
};

const attachmentsOf = ({ own, id }: Seen<Volume>): readonly JsonObject[] =>
  (own.Attachments ?? []).map((one) => ({
    id,
    attachment_id: id,
    volume_id: id,
    server_id: one.InstanceId ?? "",
    device: one.Device ?? "",
    attached_at: one.AttachTime?.toISOString() ?? null,
  }));

const attributesOf = ({ call }: At, seen: Seen<Volume>): JsonObject => {
  const { own } = seen;
  const { description, metadata } = call.properties;
  const pairs: JsonObject = isObject(metadata) ? metadata : {};
  const attachments = attachmentsOf(seen);
  return {
    availability_zone: own.AvailabilityZone ?? null,
    size: String(own.Size ?? ""),
    snapshot_id: own.SnapshotId || null,
    display_name: nameIn(seen),
    display_description: textOf(description) || null,
    volume_type: own.VolumeType ?? null,
    metadata: JSON.stringify(pairs),
    source_volid: null,
    status: own.State ?? "",
    created_at: own.CreateTime?.toISOString() ?? null,
    bootable: "false",
    metadata_values: pairs,
    encrypted: String(own.Encrypted ?? false),
    attachments: JSON.stringify(attachments),
    attachments_list: attachments,
    multiattach: false,
  };
};

export const volume: ObjectType<Volume> = {
  description: "A volume of EBS.",
  kind: VOLUMES,
  ...VOLUME_SCHEMAS,
  tokens: TOKEN_WINDOW,
  refuse: refuseVolume,
  make: async (at) => {
    const { properties } = at.call;
    const [size, snapshot] = [sizeOf(properties), textOf(properties["snapshot_id"])];
    const type = typeOf(properties);
    const given = {
      AvailabilityZone: textOf(properties["availability_zone"]) || (await zoneOf(at)),
      ...(size === undefined ? {} : { Size: size }),
      ...(snapshot === "" ? {} : { SnapshotId: snapshot }),
      ...(type === undefined ? {} : { VolumeType: type }),
      TagSpecifications: tagged("volume", tagsOfNew(at.call)),
      ClientToken: clientTokenOf(at.call.token),
    };
    const made = await at.ec2.createVolume(given, at.abort);
    return made.VolumeId ?? "";
  },
  bring: async (at, seen) => {
    if (seen.own.State === "error") throw new Impossible("EC2: the volume's state is error");
    if (!isReady(seen.own)) return false;
    return at.call.action === "UPDATE" ? change(at, seen) : true;
  },
  drift: (at, { own }) => {
    const type = typeOf(at.call.properties);
    const isOther = at.call.previousProperties !== null && type !== undefined;
    if (isReady(own) && isOther && own.VolumeType !== type) {
      return differs(`its type is ${own.VolumeType} instead of ${type}`);
    }
    if (isReady(own)) return null;
    const found = failed(`the volume's state is ${own.State}`);
    return own.State === "error" ? { ...found, health: "beyond repair" } : found;
  },
  attributesOf,
  remove: ({ ec2, abort }, { id }) => ec2.deleteVolume({ VolumeId: id }, abort),
};
