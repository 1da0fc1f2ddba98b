/**
 * Texts by the columns of a terminal that they take: a column that is counted wrongly moves all that stand behind
 * it, and a line that wraps spoils the live tree.
 */
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";

export const widthOf = (text: string): number => stringWidth(text);

/** With blanks behind it, up to so many columns. */
export const padTo = (text: string, width: number): string =>
  `${text}${" ".repeat(Math.max(0, width - widthOf(text)))}`;

/** No wider than that, cut between two letters as they are read. */
export const cutTo = (text: string, width: number): string => sliceAnsi(text, 0, width);
