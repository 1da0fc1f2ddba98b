import { integerText } from "#lib/python/read-text.ts";
import { reprText } from "#lib/python/show-text.ts";
import type { Tokens } from "./tokens.ts";
import type { Width } from "./tree.ts";

const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const GROUPS_MAX = 1_073_741_823;

export class Groups {
  readonly names = new Map<string, number>();
  readonly #widths: (Width | null)[] = [null];
  #beforeLookbehind: number | null = null;
  /** By group number, the position of the first condition on it. The group may follow later. */
  readonly #conditions = new Map<number, number>();
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  get count(): number {
    return this.#widths.length - 1;
  }

  takeName(terminator: string): string {
    const name = this.#tokens.takeUntil(terminator, "group name");
    if (IDENTIFIER.test(name)) return name;
    throw this.#wrongName("bad character in group name", name);
  }

  #wrongName(message: string, name: string): Error {
    return this.#tokens.failure(`${message} ${reprText(name)}`, name, ")");
  }

  open(name: string | null): number {
    const number = this.#widths.length;
    if (name !== null) {
      const earlier = this.names.get(name);
      if (earlier !== undefined) {
        const what = `redefinition of group name ${reprText(name)} as group ${number}`;
        throw this.#tokens.failure(`${what}; was group ${earlier}`, name, ">");
      }
      this.names.set(name, number);
    }
    this.#widths.push(null);
    return number;
  }

  close(number: number, width: Width): void {
    this.#widths[number] = width;
  }

  /** A lookbehind must not refer to groups inside itself. */
  insideLookbehind<T>(read: () => T): T {
    const outer = this.#beforeLookbehind;
    this.#beforeLookbehind ??= this.#widths.length;
    const result = read();
    this.#beforeLookbehind = outer;
    return result;
  }

  #checkLookbehind(number: number): void {
    if (this.#beforeLookbehind === null) return;
    if ((this.#widths[number] ?? null) === null) {
      throw this.#tokens.failure("cannot refer to an open group");
    }
    if (number < this.#beforeLookbehind) return;
    const what = "cannot refer to group defined in the same lookbehind subpattern";
    throw this.#tokens.failure(what);
  }

  widthOf(number: number, ...read: readonly string[]): Width {
    const width = this.#widths[number] ?? null;
    if (width === null) throw this.#tokens.failure("cannot refer to an open group", ...read);
    this.#checkLookbehind(number);
    return width;
  }

  named(name: string): number {
    const number = this.names.get(name);
    if (number === undefined) throw this.#wrongName("unknown group name", name);
    return number;
  }

  takeCondition(): number {
    const tokens = this.#tokens;
    const name = tokens.takeUntil(")", "group name");
    const number = IDENTIFIER.test(name) ? this.named(name) : this.#conditionNumber(name);
    this.#checkLookbehind(number);
    return number;
  }

  #conditionNumber(name: string): number {
    const tokens = this.#tokens;
    const number = Number(integerText(name) ?? Number.NaN);
    if (!(number >= 0)) throw this.#wrongName("bad character in group name", name);
    if (number === 0) throw tokens.failure("bad group number", name, ")");
    if (number >= GROUPS_MAX) {
      throw tokens.failure(`invalid group reference ${number}`, name, ")");
    }
    if (!this.#conditions.has(number)) {
      this.#conditions.set(number, tokens.position - Array.from(name).length - 1);
    }
    return number;
  }

  checkConditions(): void {
    for (const [number, position] of this.#conditions) {
      if (number <= this.count) continue;
      throw this.#tokens.failureAt(`invalid group reference ${number}`, position);
    }
  }
}
