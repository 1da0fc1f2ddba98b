import type { Attributes } from "./table.ts";
import { TTL_ATTRIBUTE } from "./tables.ts";

/** Rounded up, so no item expires early. Null removes the attribute, so the item stays. */
export const ttlOf = (expiresAt: number | null): Attributes => ({
  [TTL_ATTRIBUTE]: expiresAt === null ? undefined : { N: String(Math.ceil(expiresAt / 1_000)) },
});
