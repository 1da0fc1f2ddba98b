import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { vitrageTemplate } from "./template.ts";

export const VITRAGE_TYPES: readonly DeclaredType[] = [vitrageTemplate];
