import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { ServiceRules, TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { isGiven, isSet, reads } from "#lib/resources/cloud/given-values.ts";
import { noneOf } from "#lib/resources/cloud/refusals.ts";
import { pythonRepr } from "#lib/template/python-text.ts";

const IMAGE_KEYS = ["image", "imageRef"];

const refuseVolume = (given: JsonObject): string | null => {
  reads(given, ...IMAGE_KEYS);
  if (isSet(given, "backup_id")) return null;
  const withSize = ["snapshot_id", "source_volid"].filter((key) => isSet(given, key));
  const hasImage = IMAGE_KEYS.some((key) => isSet(given, key));
  const sources = [...withSize, ...(hasImage ? ["image"] : [])];
  const list = pythonRepr(sources);
  if (!isGiven(given, "size") && (withSize.length !== 1 || sources.length !== 1)) {
    return `If neither "backup_id" nor "size" is provided, one and only one of "source_volid", "snapshot_id" must be specified, but currently specified options: ${list}.`;
  }
  return isSet(given, "size") && sources.length > 1
    ? `If "size" is provided, only one of "image", "imageRef", "source_volid", "snapshot_id" can be specified, but currently specified options: ${list}.`
    : null;
};

const cinderVolume: TypeRules = {
  validate: refuseVolume,
};

const refuseVolumeType = (given: JsonObject): string | null =>
  isSet(given, "projects") && isSet(given, "is_public")
    ? 'Can not specify property "projects" if the volume type is public.'
    : null;

const cinderVolumeType: TypeRules = {
  validate: refuseVolumeType,
};

const validate = (given: JsonObject): Refusal | null =>
  Object.values(given).length > 1
    ? null
    : noneOf("gigabytes", "snapshots", "volumes", "backups", "backup_gigabytes");

const cinderQuota: TypeRules = {
  validate,
};

export const CINDER_RULES: ServiceRules = {
  "OS::Cinder::Quota": cinderQuota,
  "OS::Cinder::VolumeType": cinderVolumeType,
  "OS::Cinder::Volume": cinderVolume,
};
