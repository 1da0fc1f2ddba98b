import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { blazarHost } from "./host.ts";
import { blazarLease } from "./lease.ts";

export const BLAZAR_TYPES: readonly DeclaredType[] = [blazarHost, blazarLease];
