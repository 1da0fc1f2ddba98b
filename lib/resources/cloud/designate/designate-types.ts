import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { designateRecordSet } from "./record-set.ts";
import { designateZone } from "./zone.ts";

export const DESIGNATE_TYPES: readonly DeclaredType[] = [designateRecordSet, designateZone];
