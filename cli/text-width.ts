/**
 * How many columns of a terminal a text takes: none for marks that stand on the letter before them, two for
 * the ideographs and syllables of East Asia and for pictures. A column that is counted wrongly moves all that
 * stand behind it, and a line that wraps spoils the live tree.
 */

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const NARROW_ONLY = /^[\u0020-\u02ff]*$/;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
const HALF_WIDTH = /^[\uff61-\uffdc]/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const ofGrapheme = (grapheme: string): number => {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !HALF_WIDTH.test(grapheme) ? 2 : 1;
};

export const widthOf = (text: string): number => {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += ofGrapheme(segment);
  return width;
};

/** With blanks behind it, up to so many columns. */
export const padTo = (text: string, width: number): string =>
  `${text}${" ".repeat(Math.max(0, width - widthOf(text)))}`;

/** No wider than that, cut between two letters as they are read. */
export const cutTo = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  let cut = "";
  let left = width;
  for (const { segment } of graphemes.segment(text)) {
    left -= ofGrapheme(segment);
    if (left < 0) break;
    cut += segment;
  }
  return cut;
};
