/** What Heat checks before it calls Cinder or Manila. */
import { propertyDependency, propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { pythonRepr } from "#lib/template/python-text.ts";
import { isGiven, isSet, reads } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";

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

const refuseVolumeType = (given: JsonObject): string | null =>
  isSet(given, "projects") && isSet(given, "is_public")
    ? 'Can not specify property "projects" if the volume type is public.'
    : null;

const refuseQuota = (given: JsonObject): Problem =>
  Object.values(given).length > 1
    ? null
    : propertyUnspecified("gigabytes", "snapshots", "volumes", "backups", "backup_gigabytes");

const refuseShareNetwork = (given: JsonObject): Problem => {
  if (isSet(given, "nova_network")) return "Nova network is no longer supported";
  return isSet(given, "neutron_network") && !isSet(given, "neutron_subnet")
    ? propertyDependency("neutron_network", "neutron_subnet")
    : null;
};

export const STORAGE_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Cinder::Quota": { validate: refuseQuota },
  "OS::Cinder::VolumeType": { validate: refuseVolumeType },
  "OS::Cinder::Volume": { validate: refuseVolume },
  "OS::Manila::ShareNetwork": { validate: refuseShareNetwork },
};
