import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { glanceWebImage } from "./web-image.ts";

export const GLANCE_TYPES: readonly DeclaredType[] = [glanceWebImage];
