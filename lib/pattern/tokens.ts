/** Reads a pattern by characters and escapes. Positions count characters, as in Python. */

export class PatternError extends Error {
  override readonly name = "PatternError";
}

const countOf = (text: string): number => Array.from(text).length;

export class Tokens {
  /** A character, or a backslash with the character after it. Null at the end of the pattern. */
  next: string | null = null;
  readonly #characters: readonly string[];
  #after = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
    this.#read();
  }

  #read(): void {
    const character = this.#characters[this.#after] ?? null;
    this.next = character;
    if (character === null) return;
    this.#after += 1;
    if (character !== "\\") return;
    const escaped = this.#characters[this.#after];
    if (escaped === undefined) {
      throw this.failureAt("bad escape (end of pattern)", this.#characters.length - 1);
    }
    this.next = character + escaped;
    this.#after += 1;
  }

  get position(): number {
    return this.#after - countOf(this.next ?? "");
  }

  take(): string | null {
    const { next } = this;
    this.#read();
    return next;
  }

  accepts(token: string): boolean {
    if (this.next !== token) return false;
    this.#read();
    return true;
  }

  takeWhile(most: number, characters: RegExp): string {
    let taken = "";
    while (taken.length < most && this.next !== null && characters.test(this.next)) {
      taken += this.take() ?? "";
    }
    return taken;
  }

  takeUntil(terminator: string, what: string): string {
    let taken = "";
    for (;;) {
      const token = this.take();
      if (token === null && taken !== "") {
        throw this.failure(`missing ${terminator}, unterminated name`, taken);
      }
      if (token === null) throw this.failure(`missing ${what}`);
      if (token === terminator && taken === "") throw this.failure(`missing ${what}`, token);
      if (token === terminator) return taken;
      taken += token;
    }
  }

  return(position: number): void {
    this.#after = position;
    this.#read();
  }

  /** `read` is the text just read at whose start the error is. */
  failure(message: string, ...read: readonly string[]): PatternError {
    return this.failureAt(message, this.position - countOf(read.join("")));
  }

  failureAt(message: string, position: number): PatternError {
    const text = `${message} at position ${position}`;
    if (!this.#characters.includes("\n")) return new PatternError(text);
    const before = this.#characters.slice(0, position);
    const line = before.filter((character) => character === "\n").length + 1;
    const column = position - before.lastIndexOf("\n");
    return new PatternError(`${text} (line ${line}, column ${column})`);
  }
}
