/** Errors of a YAML text in PyYAML's words, which Heat shows to its users. */

/** The text is not a document. `message` contains the place. */
export class UnreadableText extends Error {
  override readonly name = "UnreadableText";
}

const SNIPPET_CHARS_MAX = 75;
const SNIPPET_INDENT = "    ";
const ELLIPSIS = " ... ";
const ELLIPSIS_CHARS = 5;

const isLineEnd = (character: string | undefined): boolean =>
  character === undefined || /[\0\r\n\x85\u2028\u2029]/.test(character);

/** Lines and columns count from 0, and columns count characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export const placeOf = (text: string, offset: number): Place => {
  const isInBreak = text.charAt(offset) === "\n" && text.charAt(offset - 1) === "\r";
  const before = text.slice(0, isInBreak ? offset - 1 : offset);
  const lines = before.split(/\r\n|[\n\r\x85\u2028\u2029]/);
  const last = (lines.at(-1) ?? "").replaceAll("\ufeff", "");
  return { line: lines.length - 1, column: Array.from(last).length };
};

const snippetOf = (text: string, offset: number): string => {
  const half = SNIPPET_CHARS_MAX / 2 - 1;
  const before = Array.from(text.slice(Math.max(0, offset - 2 * SNIPPET_CHARS_MAX), offset));
  let start = before.length;
  let head = "";
  while (start > 0 && !isLineEnd(before[start - 1])) {
    start -= 1;
    if (before.length - start > half) {
      head = ELLIPSIS;
      start += ELLIPSIS_CHARS;
      break;
    }
  }
  const after = Array.from(text.slice(offset, offset + 2 * SNIPPET_CHARS_MAX));
  let end = 0;
  let tail = "";
  while (!isLineEnd(after[end])) {
    end += 1;
    if (end > half) {
      tail = ELLIPSIS;
      end -= ELLIPSIS_CHARS;
      break;
    }
  }
  const shown = [...before.slice(start), ...after.slice(0, end)].join("");
  const arrow = " ".repeat(before.length - start + head.length);
  return `${SNIPPET_INDENT}${head}${shown}${tail}\n${SNIPPET_INDENT}${arrow}^`;
};

const markOf = (text: string, offset: number): string => {
  const { line, column } = placeOf(text, offset);
  const where = `  in "<unicode string>", line ${line + 1}, column ${column + 1}`;
  return `${where}:\n${snippetOf(text, offset)}`;
};

export interface Context {
  readonly doing: string;
  readonly offset: number | null;
}

/** PyYAML's MarkedYAMLError. */
export class YamlProblem extends UnreadableText {
  readonly offset: number;

  constructor(text: string, context: Context | null, problem: string, offset: number) {
    const lines: string[] = [];
    if (context !== null) lines.push(context.doing);
    // PyYAML compares lines and columns. They differ exactly where the offsets differ.
    const begun = context?.offset ?? null;
    if (begun !== null && begun !== offset) lines.push(markOf(text, begun));
    super([...lines, problem, markOf(text, offset)].join("\n"));
    this.offset = offset;
  }
}
