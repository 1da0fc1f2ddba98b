import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import {
  type DeclaredType,
  declaredTypes,
  type TypeRules,
} from "#lib/resources/cloud/declared-type.ts";
import { noneOf } from "#lib/resources/cloud/refusals.ts";
import types from "./types.json" with { type: "json" };
import { cinderVolume } from "./volume.ts";
import { cinderVolumeType } from "./volume-type.ts";

const validate = (given: JsonObject): Refusal | null =>
  Object.values(given).length > 1
    ? null
    : noneOf("gigabytes", "snapshots", "volumes", "backups", "backup_gigabytes");

const cinderQuota: TypeRules = {
  validate,
};

export const CINDER_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Cinder::Quota": cinderQuota,
  "OS::Cinder::VolumeType": cinderVolumeType,
  "OS::Cinder::Volume": cinderVolume,
});
