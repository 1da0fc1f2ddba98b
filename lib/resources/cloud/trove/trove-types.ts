import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { troveCluster } from "./cluster.ts";
import { troveInstance } from "./instance.ts";

export const TROVE_TYPES: readonly DeclaredType[] = [troveCluster, troveInstance];
