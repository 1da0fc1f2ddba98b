import { type DeclaredType, declaredTypes } from "#lib/resources/cloud/declared-type.ts";
import { troveCluster } from "./cluster.ts";
import { refuseInstance } from "./instance-checks.ts";
import types from "./types.json" with { type: "json" };

export const TROVE_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Trove::Cluster": troveCluster,
  "OS::Trove::Instance": { validate: refuseInstance },
});
