/** Where a text stops being JSON, in the words of Python's parser, which Heat shows. */
import { jsonNumber } from "#lib/json.ts";
import { DEPTH_MAX } from "./json-shape.ts";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORDS = ["null", "true", "false"];
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const MARK = "\ufeff";

interface Failure {
  readonly message: string;
  readonly at: number;
}

class JsonScanner {
  readonly #text: string;
  #at = 0;
  failure: Failure | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Failure | null {
    if (this.#text.startsWith(MARK)) this.#fail("Unexpected UTF-8 BOM (decode using utf-8-sig)");
    else this.#document();
    return this.failure;
  }

  #document(): void {
    this.#skipSpace();
    if (this.#value(0)) {
      this.#skipSpace();
      if (this.#at < this.#text.length) this.#fail("Extra data");
    }
  }

  #fail(message: string, at = this.#at): false {
    this.failure = { message, at };
    return false;
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text.charAt(this.#at) || "x")) this.#at += 1;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #value(depth: number): boolean {
    const next = this.#text.charAt(this.#at);
    if (depth > DEPTH_MAX) return this.#fail("Nested too deeply");
    if (next === '"') return this.#string();
    if (next === "{") return this.#members("}", () => this.#member(depth + 1));
    if (next === "[") return this.#members("]", () => this.#value(depth + 1));
    const word = WORDS.find((candidate) => this.#text.startsWith(candidate, this.#at));
    if (word === undefined) return this.#number();
    this.#at += word.length;
    return true;
  }

  #number(): boolean {
    const start = this.#at;
    if (!this.#take(NUMBER)) return this.#fail("Expecting value");
    const isHeld = jsonNumber(this.#text.slice(start, this.#at)) !== null;
    return isHeld || this.#fail("Number out of range", start);
  }

  #string(): boolean {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length; ) {
      const next = this.#text.charAt(this.#at);
      if (next === '"') {
        this.#at += 1;
        return true;
      }
      if (next < " ") return this.#fail("Invalid control character at");
      if (next !== "\\") this.#at += 1;
      else if (!this.#take(ESCAPE)) return this.#badEscape(start);
    }
    return this.#fail("Unterminated string starting at", start);
  }

  #badEscape(start: number): false {
    const escaped = this.#text.charAt(this.#at + 1);
    if (escaped === "") return this.#fail("Unterminated string starting at", start);
    if (escaped === "u") return this.#fail("Invalid \\uXXXX escape", this.#at + 1);
    return this.#fail("Invalid \\escape");
  }

  #members(close: string, readMember: () => boolean): boolean {
    this.#at += 1;
    this.#skipSpace();
    if (this.#text.charAt(this.#at) === close) {
      this.#at += 1;
      return true;
    }
    while (readMember()) {
      this.#skipSpace();
      const next = this.#text.charAt(this.#at);
      if (next !== close && next !== ",") return this.#fail("Expecting ',' delimiter");
      this.#at += 1;
      this.#skipSpace();
      if (next === close) return true;
    }
    return false;
  }

  #member(depth: number): boolean {
    if (this.#text.charAt(this.#at) !== '"') {
      return this.#fail("Expecting property name enclosed in double quotes");
    }
    if (!this.#string()) return false;
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== ":") return this.#fail("Expecting ':' delimiter");
    this.#at += 1;
    this.#skipSpace();
    return this.#value(depth);
  }
}

/** `Expecting value: line 1 column 2 (char 1)`. It quotes nothing, since the text may be secret. */
export const describeJsonError = (text: string): string => {
  const { message, at } = new JsonScanner(text).scan() ?? { message: "Expecting value", at: 0 };
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return `${message}: line ${line} column ${column} (char ${at})`;
};
