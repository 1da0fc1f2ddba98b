import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { swiftContainer } from "./container.ts";

export const SWIFT_TYPES: readonly DeclaredType[] = [swiftContainer];
