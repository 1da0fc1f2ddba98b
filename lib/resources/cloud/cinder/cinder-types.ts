import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { cinderEncryptedVolumeType } from "./encrypted-volume-type.ts";
import { cinderQosAssociation } from "./qos-association.ts";
import { cinderQosSpecs } from "./qos-specs.ts";
import { cinderQuota } from "./quota.ts";
import { cinderVolume } from "./volume.ts";
import { cinderVolumeAttachment } from "./volume-attachment.ts";
import { cinderVolumeType } from "./volume-type.ts";

export const CINDER_TYPES: readonly DeclaredType[] = [
  cinderEncryptedVolumeType,
  cinderQosAssociation,
  cinderQosSpecs,
  cinderQuota,
  cinderVolume,
  cinderVolumeAttachment,
  cinderVolumeType,
];
