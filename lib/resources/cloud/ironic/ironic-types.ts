import { type DeclaredType, declaredTypes } from "#lib/resources/cloud/declared-type.ts";

import types from "./types.json" with { type: "json" };

export const IRONIC_TYPES: readonly DeclaredType[] = declaredTypes(types);
