/**
 * Measures text in columns of a terminal. A wrong width moves everything to the right of it, and
 * a line that wraps spoils the live tree.
 */
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";

export const widthOf = (text: string): number => stringWidth(text);

/** Pads with blanks to this many columns. */
export const padTo = (text: string, width: number): string =>
  `${text}${" ".repeat(Math.max(0, width - widthOf(text)))}`;

/** Cuts to this many columns, never through a letter. */
export const cutTo = (text: string, width: number): string => sliceAnsi(text, 0, width);
