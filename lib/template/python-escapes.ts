/** How Python writes characters that it does not show as they are. */

/** By character, for repr(). */
export const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
};

/** The shortest of `\xff`, `\uffff` and `\Uffffffff` that can hold the character. */
export const numericEscape = (character: string): string => {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  if (point > 0xff_ff) return `\\U${hex.padStart(8, "0")}`;
  return point > 0xff ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`;
};
