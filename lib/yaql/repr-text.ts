/** Python's repr() of a text. */

const ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
};

const escaped = (character: string): string => {
  const short = ESCAPES[character];
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x1_00) return `\\x${point.toString(16).padStart(2, "0")}`;
  if (point < 0x1_00_00) return `\\u${point.toString(16).padStart(4, "0")}`;
  return `\\U${point.toString(16).padStart(8, "0")}`;
};

export const reprText = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped);
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
};
