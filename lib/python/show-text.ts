const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
};

/** The shortest of `\xff`, `\uffff` and `\Uffffffff` that fits the character. */
export const numericEscape = (character: string): string => {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  if (point > 0xff_ff) return `\\U${hex.padStart(8, "0")}`;
  return point > 0xff ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`;
};

/** Python's repr() escapes backslashes, unprintable characters and all spaces but one. */
const UNPRINTED = /\\|[\p{C}\p{Z}]/gu;

export const reprText = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(UNPRINTED, (character) =>
    character === " " ? character : (SHORT_ESCAPES[character] ?? numericEscape(character)),
  );
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
};

/** For units that differ. A half without its other one is a code point too. */
const comparePoints = (left: string, right: string, at: number): number =>
  (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);

/** Python orders texts by code points. JavaScript orders the halves of surrogate pairs. */
export const compareTexts = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    if (left.charCodeAt(at) === right.charCodeAt(at)) continue;
    // They may be the second halves of pairs.
    return comparePoints(left, right, at - 1) || comparePoints(left, right, at);
  }
  return left.length - right.length;
};

export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};
