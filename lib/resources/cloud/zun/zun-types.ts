import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { zunContainer } from "./container.ts";

export const ZUN_TYPES: readonly DeclaredType[] = [zunContainer];
