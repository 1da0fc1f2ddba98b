/** Reads Python's syntax of regular expressions, with the errors of Python 3.11. */
import { type Category, CharacterSet } from "./characters.ts";
import {
  categoryOf,
  codeOf,
  escapedCode,
  foldingOf,
  OCTAL,
  octalCode,
  readSet,
} from "./escapes.ts";
import { type Flags, isFlag, NO_FLAGS, readFlags, withChanges } from "./flags.ts";
import { Groups } from "./groups.ts";
import { PatternError, Tokens } from "./tokens.ts";
import type { Greed, Place, Tree, Width } from "./tree.ts";
import * as tree from "./tree.ts";

/**
 * Python's own limit is near 500, and lower if the caller's stack is deep.
 * @limit groups in groups of a regular expression
 * @beyond 400
 */
const GROUPS_DEEP_MAX = 400;
/**
 * @limit regular expression
 * @beyond 400
 */
const PATTERN_CHARACTERS_MAX = 16_384;
const DIGIT = /^[0-9]$/;
const SPACE = /^[ \t\n\r\v\f]$/;
const PLACES: Readonly<Record<string, Place>> = {
  A: "text_start",
  Z: "text_end",
  b: "word_edge",
  B: "no_word_edge",
};
const REPEATS: Readonly<Record<string, Width>> = {
  "?": { min: 0, max: 1 },
  "*": { min: 0, max: tree.REPETITIONS_MAX },
  "+": { min: 1, max: tree.REPETITIONS_MAX },
};
const EMPTY = tree.sequence([]);
const ANYTHING = new CharacterSet([], [], true);
const NO_NEWLINE = new CharacterSet([10, 10], [], true);

interface Item {
  readonly part: Tree;
  readonly refusal: "nothing to repeat" | "multiple repeat" | null;
}

const item = (part: Tree, refusal: Item["refusal"] = null): Item => ({ part, refusal });

const literal = (code: number, flags: Flags): Tree =>
  tree.character(new CharacterSet([code, code], [], false, foldingOf(flags)));

const category = (one: Category): Tree => tree.character(new CharacterSet([], [one]));

export interface ParsedPattern {
  readonly body: Tree;
  readonly groupCount: number;
  readonly names: ReadonlyMap<string, number>;
}

class Parser {
  readonly #tokens: Tokens;
  readonly #groups: Groups;
  #flags: Flags;
  #depth = 0;

  constructor(pattern: string, flags: Flags) {
    this.#tokens = new Tokens(pattern);
    this.#groups = new Groups(this.#tokens);
    this.#flags = flags;
  }

  parse(): ParsedPattern {
    const body = this.#choice(true);
    if (this.#flags.ascii && this.#flags.unicode) {
      throw new PatternError("ASCII and UNICODE flags are incompatible");
    }
    if (this.#tokens.next !== null) throw this.#tokens.failure("unbalanced parenthesis");
    this.#groups.checkConditions();
    checkLookbehinds(body);
    return { body, groupCount: this.#groups.count, names: this.#groups.names };
  }

  #choice(isWhole = false): Tree {
    const options = [this.#sequence(isWhole)];
    while (this.#tokens.accepts("|")) options.push(this.#sequence());
    return tree.choice(options);
  }

  #sequence(mayHaveFlags = false): Tree {
    const tokens = this.#tokens;
    const items: Item[] = [];
    while (tokens.next !== null && tokens.next !== "|" && tokens.next !== ")") {
      const start = tokens.position;
      const token = tokens.take() ?? "";
      if (this.#flags.verbose && this.#isSkipped(token)) continue;
      const times = this.#timesOf(token);
      if (times !== null) items.push(this.#repeat(times, start, items.pop()));
      else if (token !== "(") items.push(this.#part(token));
      else items.push(...this.#group(start, mayHaveFlags && items.length === 0));
    }
    return tree.sequence(items.map(({ part }) => part));
  }

  #isSkipped(token: string): boolean {
    if (token !== "#") return SPACE.test(token);
    for (let skipped = this.#tokens.take(); skipped !== null && skipped !== "\n"; ) {
      skipped = this.#tokens.take();
    }
    return true;
  }

  #part(token: string): Item {
    const { multiLine, dotAll, ascii } = this.#flags;
    if (token === ".") return item(tree.character(dotAll ? ANYTHING : NO_NEWLINE));
    if (token === "[") return item(tree.character(readSet(this.#tokens, this.#flags)));
    const atPlace = (at: Place): Item => item(tree.place(at, ascii), "nothing to repeat");
    if (token === "^") return atPlace(multiLine ? "line_start" : "text_start");
    if (token === "$") return atPlace(multiLine ? "line_end" : "text_end_or_newline");
    if (!token.startsWith("\\")) return item(literal(codeOf(token), this.#flags));
    const at = PLACES[token.slice(1)];
    return at === undefined ? item(this.#escape(token)) : atPlace(at);
  }

  #escape(token: string): Tree {
    const tokens = this.#tokens;
    const letter = token.slice(1);
    const named = categoryOf(letter, this.#flags);
    if (named !== null) return category(named);
    if (letter === "0") {
      return literal(octalCode(tokens, token + tokens.takeWhile(2, OCTAL)), this.#flags);
    }
    if (!DIGIT.test(letter)) return literal(escapedCode(tokens, token), this.#flags);
    const digits = letter + tokens.takeWhile(1, DIGIT);
    const isOctal = /^[0-7]{2}$/.test(digits) && OCTAL.test(tokens.next ?? "");
    if (!isOctal) return this.#reference(Number(digits), `\\${digits}`);
    return literal(octalCode(tokens, `\\${digits}${tokens.take()}`), this.#flags);
  }

  #reference(number: number, token: string): Tree {
    if (number > this.#groups.count) {
      const what = `invalid group reference ${number}`;
      throw this.#tokens.failure(what, token.slice(1));
    }
    const width = this.#groups.widthOf(number, token);
    return tree.reference(number, foldingOf(this.#flags), width);
  }

  #timesOf(token: string): Width | null {
    if (token !== "{") return REPEATS[token] ?? null;
    const tokens = this.#tokens;
    if (tokens.next === "}") return null;
    const start = tokens.position;
    const low = tokens.takeWhile(Number.POSITIVE_INFINITY, DIGIT);
    const hasHigh = tokens.accepts(",");
    const high = hasHigh ? tokens.takeWhile(Number.POSITIVE_INFINITY, DIGIT) : low;
    if (!tokens.accepts("}")) {
      tokens.return(start);
      return null;
    }
    const min = Number(low);
    const max = high === "" ? tree.REPETITIONS_MAX : Number(high);
    if (min >= tree.REPETITIONS_MAX || (high !== "" && max >= tree.REPETITIONS_MAX)) {
      throw new PatternError("the repetition number is too large");
    }
    if (max < min) throw tokens.failureAt("min repeat greater than max repeat", start);
    return { min, max };
  }

  #repeat(times: Width, start: number, repeated: Item | undefined): Item {
    if (repeated === undefined) throw this.#tokens.failureAt("nothing to repeat", start);
    if (repeated.refusal !== null) throw this.#tokens.failureAt(repeated.refusal, start);
    return item(tree.repeat(times, this.#greed(), repeated.part), "multiple repeat");
  }

  #greed(): Greed {
    if (this.#tokens.accepts("?")) return "lazy";
    return this.#tokens.accepts("+") ? "possessive" : "greedy";
  }

  /** Starts after the opening parenthesis. Comments and global flags add no part. */
  #group(start: number, mayHaveFlags: boolean): readonly Item[] {
    if (this.#depth >= GROUPS_DEEP_MAX) {
      throw this.#tokens.failureAt(`more than ${GROUPS_DEEP_MAX} groups in each other`, start);
    }
    this.#depth += 1;
    const part = this.#groupPart(start, mayHaveFlags);
    this.#depth -= 1;
    return part === null ? [] : [item(part)];
  }

  #groupPart(start: number, mayHaveFlags: boolean): Tree | null {
    const tokens = this.#tokens;
    if (!tokens.accepts("?")) return this.#capture(start, null);
    const letter = this.#letter();
    if (letter === "P") return this.#python(start);
    if (letter === ":") return this.#body(start);
    if (letter === ">") return tree.atomic(this.#body(start));
    if (letter === "=" || letter === "!") {
      return tree.look(false, letter === "=", this.#body(start));
    }
    if (letter === "<") return this.#lookbehind(start);
    if (letter === "(") return this.#conditional(start);
    if (letter === "#") return this.#comment(start);
    if (letter === "-" || isFlag(letter)) return this.#flagged(start, letter, mayHaveFlags);
    throw tokens.failure(`unknown extension ?${letter}`, "?", letter);
  }

  #letter(): string {
    const letter = this.#tokens.take();
    if (letter !== null) return letter;
    throw this.#tokens.failure("unexpected end of pattern");
  }

  #end(start: number): void {
    if (this.#tokens.accepts(")")) return;
    throw this.#tokens.failureAt("missing ), unterminated subpattern", start);
  }

  #body(start: number): Tree {
    const body = this.#choice();
    this.#end(start);
    return body;
  }

  #capture(start: number, name: string | null): Tree {
    const number = this.#groups.open(name);
    const body = this.#body(start);
    this.#groups.close(number, body.width);
    return tree.group(number, body);
  }

  #python(start: number): Tree {
    const tokens = this.#tokens;
    if (tokens.accepts("<")) return this.#capture(start, this.#groups.takeName(">"));
    if (tokens.accepts("=")) {
      const name = this.#groups.takeName(")");
      const number = this.#groups.named(name);
      const width = this.#groups.widthOf(number, name, ")");
      return tree.reference(number, foldingOf(this.#flags), width);
    }
    const letter = this.#letter();
    throw tokens.failure(`unknown extension ?P${letter}`, "?P", letter);
  }

  #lookbehind(start: number): Tree {
    const letter = this.#letter();
    if (letter !== "=" && letter !== "!") {
      throw this.#tokens.failure(`unknown extension ?<${letter}`, "?<", letter);
    }
    const body = this.#groups.insideLookbehind(() => this.#choice());
    this.#end(start);
    return tree.look(true, letter === "=", body);
  }

  #conditional(start: number): Tree {
    const number = this.#groups.takeCondition();
    const yes = this.#sequence();
    const no = this.#tokens.accepts("|") ? this.#sequence() : EMPTY;
    if (this.#tokens.next === "|") {
      throw this.#tokens.failure("conditional backref with more than two branches");
    }
    this.#end(start);
    return tree.conditional(number, yes, no);
  }

  #comment(start: number): null {
    for (let token = this.#tokens.take(); token !== ")"; token = this.#tokens.take()) {
      if (token !== null) continue;
      throw this.#tokens.failureAt("missing ), unterminated comment", start);
    }
    return null;
  }

  #flagged(start: number, letter: string, mayHaveFlags: boolean): Tree | null {
    const change = readFlags(this.#tokens, letter);
    const outer = this.#flags;
    if (change.isGlobal && !mayHaveFlags) {
      const what = "global flags not at the start of the expression";
      throw this.#tokens.failureAt(what, start);
    }
    this.#flags = withChanges(outer, change);
    if (change.isGlobal) return null;
    const body = this.#body(start);
    this.#flags = outer;
    return body;
  }
}

const checkLookbehinds = (part: Tree): void => {
  if (part.kind === "look" && part.isBehind && part.body.width.min !== part.body.width.max) {
    throw new PatternError("look-behind requires fixed-width pattern");
  }
  for (const inner of tree.partsOf(part)) checkLookbehinds(inner);
};

export const parsePattern = (pattern: string, flags: Flags = NO_FLAGS): ParsedPattern => {
  if (pattern.length > PATTERN_CHARACTERS_MAX) {
    throw new PatternError(`longer than ${PATTERN_CHARACTERS_MAX} characters`);
  }
  return new Parser(pattern, flags).parse();
};
