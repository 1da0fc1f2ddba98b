import { validationFailed } from "#lib/errors.ts";
import { numericEscape } from "#lib/python/escapes.ts";

/** Throws Python's error for the first match. Python counts characters, not UTF-16 units. */
const refuse = (text: string, pattern: RegExp, codec: string, reason: string): void => {
  const found = pattern.exec(text);
  if (found === null) return;
  const [run] = found;
  const first = Array.from(text.slice(0, found.index)).length;
  const count = Array.from(run).length;
  const what =
    count === 1
      ? `character '${numericEscape(run)}' in position ${first}`
      : `characters in position ${first}-${first + count - 1}`;
  throw validationFailed(`'${codec}' codec can't encode ${what}: ${reason}`);
};

export const latin1Bytes = (text: string): Uint8Array => {
  refuse(text, /[\u{100}-\u{10ffff}]+/u, "latin-1", "ordinal not in range(256)");
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
};

export const refuseSurrogates = (text: string): void => {
  refuse(text, /\p{Surrogate}+/u, "utf-8", "surrogates not allowed");
};
