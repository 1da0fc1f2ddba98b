import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { magnumBayModel } from "./bay-model.ts";
import { magnumCluster } from "./cluster.ts";
import { magnumClusterTemplate } from "./cluster-template.ts";

export const MAGNUM_TYPES: readonly DeclaredType[] = [
  magnumBayModel,
  magnumCluster,
  magnumClusterTemplate,
];
