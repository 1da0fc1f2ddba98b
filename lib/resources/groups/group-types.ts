/** What groups of every family are built with. */
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { barrier } from "./barrier.ts";

export const GROUP_TYPES: readonly ResourceType[] = [barrier];
