/** Ids, randomness and time from Node. */
import { hash, randomInt, randomUUID } from "node:crypto";
import type { Clock } from "#lib/ports/clock.ts";
import type { Ids } from "#lib/ports/ids.ts";
import type { Random } from "#lib/ports/random.ts";

/** A UUID of version 8 (RFC 9562: any hash) from the first 128 bits. */
const nameBased = (text: string): string => {
  const hex = hash("sha256", text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** JSON separates the parts: ("ab", "c") is not ("a", "bc"). */
export const uuidIds = (): Ids => ({
  fresh: () => randomUUID(),
  derive: (...parts) => nameBased(JSON.stringify(parts)),
});

export const cryptoRandom = (): Random => ({ below: (limit) => randomInt(limit) });

export const systemClock = (): Clock => ({ now: () => Date.now() });
