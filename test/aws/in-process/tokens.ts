import { refused } from "./refusals.ts";

const WORD = /\s*([#:]?\w+|<=|>=|<>|[=<>(),.])/y;

export class Tokens {
  readonly #words: readonly string[];
  readonly #text: string;
  readonly placeholders: ReadonlySet<string>;
  #at = 0;

  constructor(text: string) {
    const words: string[] = [];
    const trimmed = text.trimEnd();
    WORD.lastIndex = 0;
    while (WORD.lastIndex < trimmed.length) {
      const word = WORD.exec(trimmed)?.[1];
      if (word === undefined) throw refused(`this is no expression: ${text}`);
      words.push(word);
    }
    this.#text = text;
    this.#words = words;
    this.placeholders = new Set(words.filter((word) => /^[#:]/.test(word)));
  }

  get next(): string {
    return this.#words[this.#at] ?? "";
  }

  take(): string {
    const word = this.next;
    if (word === "") throw refused(`this expression ends too early: ${this.#text}`);
    this.#at++;
    return word;
  }

  took(word: string): boolean {
    if (this.next.toUpperCase() !== word.toUpperCase()) return false;
    this.#at++;
    return true;
  }

  expect(word: string): void {
    if (!this.took(word)) throw refused(`${word} is missing in ${this.#text}`);
  }
}
