import type { Attributes } from "./table.ts";
import { TTL_ATTRIBUTE } from "./tables.ts";

/** Rounded up, so that no item expires early. */
export const ttlSeconds = (expiresAt: number): number => Math.ceil(expiresAt / 1_000);

export const ttlOf = (expiresAt: number | null): Attributes => ({
  [TTL_ATTRIBUTE]: expiresAt === null ? undefined : { N: String(ttlSeconds(expiresAt)) },
});
