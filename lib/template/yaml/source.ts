import { pythonRepr } from "../python-text.ts";

export class Source {
  readonly text: string;
  at = 0;
  lineStart = 0;
  line = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  code(ahead = 0): number {
    const at = this.at + ahead;
    return at < this.text.length ? this.text.charCodeAt(at) : 0;
  }

  character(ahead = 0): string {
    const code = this.text.codePointAt(this.at + ahead);
    return code === undefined ? "\0" : String.fromCodePoint(code);
  }

  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** Must not skip a line break, because `line` would be wrong. */
  skip(length = 1): void {
    this.at += length;
  }

  take(length: number): string {
    this.at += length;
    return this.text.slice(this.at - length, this.at);
  }

  /** `pattern` must be sticky and must not match a line break. */
  takeWhile(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  skipSpaces(): void {
    while (isSpace(this.code())) this.at += 1;
  }

  skipComment(): void {
    if (this.character() === "#") this.takeRestOfLine();
  }

  takeRestOfLine(): string {
    return this.takeWhile(REST_OF_LINE);
  }

  takeBreak(): string {
    const code = this.code();
    if (!isBreak(code)) return "";
    this.at += isReturn(code) && isNewline(this.code(1)) ? 2 : 1;
    this.lineStart = this.at;
    this.line += 1;
    return isKeptBreak(code) ? String.fromCharCode(code) : "\n";
  }

  problem(context: Context | null, problem: string, offset = this.at): YamlProblem {
    return new YamlProblem(this.text, context, problem, offset);
  }

  unexpected(context: Context | null, wanted: string, ahead = 0): YamlProblem {
    return this.problem(context, `${wanted}, but found ${pythonRepr(this.character(ahead))}`);
  }
}

const REST_OF_LINE = /[^\r\n\x85\u2028\u2029]*/y;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const NEXT_LINE = 0x85;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

/** Classes of characters in YAML 1.1, by their code units. The end of a text reads as 0. */
export const isSpace = (code: number): boolean => code === SPACE;
export const isTab = (code: number): boolean => code === TAB;
const isReturn = (code: number): boolean => code === RETURN;
const isNewline = (code: number): boolean => code === NEWLINE;

/** PyYAML keeps these two, and turns all other breaks into a newline. */
const isKeptBreak = (code: number): boolean =>
  code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR;

export const isBreak = (code: number): boolean =>
  code === NEWLINE || code === RETURN || code === NEXT_LINE || isKeptBreak(code);

export const isBreakOrEnd = (code: number): boolean => code === 0 || isBreak(code);

export const isSpaceOrEnd = (code: number): boolean => code === SPACE || isBreakOrEnd(code);

export const isBlankOrEnd = (code: number): boolean => code === TAB || isSpaceOrEnd(code);

export const isHexadecimal = (character: string): boolean => /^[0-9A-Fa-f]$/.test(character);

export const UNREADABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

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
interface Place {
  readonly line: number;
  readonly column: number;
}

/** Errors of a YAML text in PyYAML's words, which Heat shows to its users. */
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
