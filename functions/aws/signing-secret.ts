/**
 * The text of the secret that signs agents' URLs: a key, and the keys of former versions. Former
 * keys still verify, so no agent, alarm or wait handle needs a new URL after a rotation. A text
 * that is not JSON is a key without former ones. The first version has that form, and so has a
 * version that an operator writes after a leak.
 */
import * as z from "zod";
import { parseJson } from "#lib/json.ts";

/**
 * A secret's text may have 64 KiB, which is enough for some four hundred keys.
 * @limit former keys in the text
 * @beyond the oldest is forgotten; a rotation each quarter reaches it after sixteen years
 */
export const FORMER_KEYS_MAX = 64;

const VersionKey = z.object({ id: z.string().min(1), key: z.string().min(1) });
const SigningText = z.object({
  key: z.string().min(1),
  former: z.array(VersionKey),
  /** The number of the data's life (lib/ports/ports.ts), which a restore sets. */
  life: z.int().min(0).default(0),
});

export type VersionKey = z.infer<typeof VersionKey>;

export const readSigningText = (text: string): z.infer<typeof SigningText> =>
  text.startsWith("{") ? SigningText.parse(parseJson(text)) : { key: text, former: [], life: 0 };

/**
 * Builds the text of the version that follows `before`, whose newest version comes first. `begun`
 * is the number of a life that begins now.
 */
export const nextSigningText = (key: string, before: readonly VersionKey[], begun = 0): string => {
  const former = new Map<string, string>();
  let life = begun;
  for (const { id, key: text } of before) {
    const version = readSigningText(text);
    life = Math.max(life, version.life);
    for (const named of [{ id, key: version.key }, ...version.former]) {
      if (!former.has(named.id)) former.set(named.id, named.key);
    }
  }
  const kept = [...former].slice(0, FORMER_KEYS_MAX);
  return JSON.stringify({ key, former: kept.map(([id, text]) => ({ id, key: text })), life });
};
