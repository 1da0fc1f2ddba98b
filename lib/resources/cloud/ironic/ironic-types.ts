import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ironicPort } from "./port.ts";

export const IRONIC_TYPES: readonly DeclaredType[] = [ironicPort];
