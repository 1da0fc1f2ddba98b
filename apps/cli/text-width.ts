/** Measures text in columns of a terminal. A line that wraps would spoil the live tree. */
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";

export const widthOf = (text: string): number => stringWidth(text);

export const padTo = (text: string, width: number): string =>
  `${text}${" ".repeat(Math.max(0, width - widthOf(text)))}`;

export const cutTo = (text: string, width: number): string => sliceAnsi(text, 0, width);

export const wrapTo = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (widthOf(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (width > 0 && widthOf(line) > width) {
      const start = cutTo(line, width);
      // The character is wider than the line.
      if (start === "") break;
      lines.push(start);
      line = line.slice(start.length);
    }
  }
  return [...lines, line];
};
