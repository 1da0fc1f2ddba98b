import { pythonRepr } from "../python-text.ts";
import { isBreak, isKeptBreak, isNewline, isReturn, isSpace } from "./characters.ts";
import { type Context, YamlProblem } from "./yaml-error.ts";

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
