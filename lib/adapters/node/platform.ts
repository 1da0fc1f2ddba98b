import { hash, randomInt, randomUUID } from "node:crypto";
import type { Clock, Ids, Random } from "#lib/ports/ports.ts";
import { derivedId } from "../local/derived-id.ts";

const sha256Hex = (text: string): string => hash("sha256", text);

export const uuidIds = (): Ids => ({
  fresh: () => randomUUID(),
  derive: (...parts) => derivedId(parts, sha256Hex),
});

export const cryptoRandom = (): Random => ({ below: (limit) => randomInt(limit) });

export const systemClock = (): Clock => ({ now: () => Date.now() });
