/** Python's repr() of a text. */
import { numericEscape, SHORT_ESCAPES } from "#lib/template/python-escapes.ts";

const escaped = (character: string): string => SHORT_ESCAPES[character] ?? numericEscape(character);

export const reprText = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped);
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
};
