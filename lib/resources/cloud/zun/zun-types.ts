import { type DeclaredType, declaredTypes } from "#lib/resources/cloud/declared-type.ts";
import { refuseContainer } from "./container-checks.ts";
import types from "./types.json" with { type: "json" };

export const ZUN_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Zun::Container": { validate: refuseContainer },
});
