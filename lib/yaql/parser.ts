import { CONTROL_CHARACTERS } from "#lib/pattern/escapes.ts";
import { YaqlError } from "./errors.ts";
import {
  ABSENT,
  type Absent,
  Constant,
  type Expression,
  FunctionCall,
  Keyword,
  type Literal,
  Parenthesized,
  Rule,
  Variable,
} from "./syntax.ts";

/**
 * A deeper expression is refused, because the code walks it by recursion.
 * @limit brackets in brackets of an expression of `yaql`
 * @beyond the expression is refused
 */
const NESTING_MAX = 100;

/** A higher level binds tighter. The empty levels are those of the prefix operators. */
const BINARY: ReadonlyMap<string, number> = new Map(
  [["->"], ["or"], ["and"], [], ["=", "!=", "<", ">", "<=", ">=", "in"]]
    .concat([["+", "-"], ["*", "/", "mod"], ["=~", "!~"], [], ["["], [".", "?."]])
    .flatMap((signs, level) => signs.map((sign) => [sign, level] as const)),
);
const PREFIX: ReadonlyMap<string, number> = new Map([
  ["not", 3],
  ["+", 8],
  ["-", 8],
]);
const RIGHT_ASSOCIATIVE = "->";
const NAMES: ReadonlyMap<string, string> = new Map([
  ["=", "*equal"],
  ["!=", "*not_equal"],
]);

class Parser {
  readonly #expression: string;
  #end = 0;
  #ahead: Token | null = null;
  #nesting = 0;

  constructor(expression: string) {
    this.#expression = expression;
  }

  parse(): Expression {
    const expression = this.#value(0);
    if (this.#peek().kind !== "end") throw this.#unexpected();
    return expression;
  }

  #peek(): Token {
    if (this.#ahead === null) {
      const token = tokenAt(this.#expression, this.#end);
      this.#end = token.end;
      this.#ahead = token;
    }
    return this.#ahead;
  }

  #next(): Token {
    const token = this.#peek();
    this.#ahead = null;
    return token;
  }

  #isSign(text: string): boolean {
    const { kind, text: found } = this.#peek();
    return kind === "sign" && found === text;
  }

  #unexpected(): YaqlError {
    const { kind, text, position } = this.#peek();
    if (kind === "end") {
      return new YaqlError("syntax", "Parse error: unexpected end of statement");
    }
    const where = `at position ${position} of expression '${this.#expression}'`;
    return new YaqlError("syntax", `Parse error: unexpected '${text}' ${where}`);
  }

  #value(least: number): Expression {
    this.#nesting += 1;
    if (this.#nesting > NESTING_MAX) {
      const { position } = this.#peek();
      const message = `nested more than ${NESTING_MAX} levels deep at position ${position}`;
      throw new YaqlError("syntax", `Parse error: ${message}`);
    }
    let left = this.#operand();
    for (let level = this.#level(); level >= least; level = this.#level()) {
      left = this.#operation(left, level);
    }
    this.#nesting -= 1;
    return left;
  }

  #level(): number {
    const { kind, text } = this.#peek();
    return kind === "sign" ? (BINARY.get(text) ?? -1) : -1;
  }

  #operation(left: Expression, level: number): Expression {
    const { text, position } = this.#next();
    if (text === "[") {
      const args = this.#args("]");
      return new FunctionCall(position, "#indexer", [left, ...args], false);
    }
    const right = this.#value(text === RIGHT_ASSOCIATIVE ? level : level + 1);
    const name = NAMES.get(text) ?? `#operator_${text}`;
    return new FunctionCall(position, name, [left, right], false);
  }

  #operand(): Expression {
    const { kind, text, value, position } = this.#peek();
    if (kind === "end") throw this.#unexpected();
    if (kind === "sign") return this.#signed();
    this.#next();
    if (kind === "literal") return new Constant(position, value);
    if (kind === "keyword") return new Keyword(position, text);
    if (kind === "variable") return new Variable(position, text);
    return new FunctionCall(position, text, this.#args(")"), true);
  }

  #signed(): Expression {
    const { text, position } = this.#peek();
    const level = PREFIX.get(text);
    if (level !== undefined) {
      this.#next();
      return new FunctionCall(position, `#unary_operator_${text}`, [this.#value(level)], false);
    }
    if (text === "(") {
      this.#next();
      const inner = this.#value(0);
      this.#close(")");
      return new Parenthesized(position, inner);
    }
    if (text !== "[" && text !== "{") throw this.#unexpected();
    this.#next();
    const [name, end] = text === "[" ? (["#list", "]"] as const) : (["#map", "}"] as const);
    return new FunctionCall(position, name, this.#args(end), false);
  }

  #close(sign: string): void {
    if (!this.#isSign(sign)) throw this.#unexpected();
    this.#next();
  }

  /** Positional arguments come first. A comma without a value before it leaves an argument out. */
  #args(end: string): readonly (Expression | Absent)[] {
    const args: (Expression | Absent)[] = [];
    if (this.#isSign(end)) {
      this.#next();
      return args;
    }
    let commas = 0;
    let hasNamed = false;
    for (;;) {
      while (!hasNamed && this.#isSign(",")) {
        this.#next();
        if (args.length === 0 || commas > 0) args.push(ABSENT);
        commas += 1;
      }
      const value = this.#value(0);
      if (this.#isSign("=>")) {
        const follows = commas <= 2 && args.some((arg) => arg !== ABSENT);
        if (args.length > 0 && !hasNamed && !follows) throw this.#unexpected();
        const { position } = this.#next();
        args.push(new Rule(position, value, this.#value(0)));
        hasNamed = true;
      } else {
        if (hasNamed) throw this.#unexpected();
        args.push(value);
      }
      if (this.#isSign(end)) break;
      if (!this.#isSign(",")) throw this.#unexpected();
      this.#next();
      commas = 1;
    }
    this.#next();
    return args;
  }
}

export const parseExpression = (expression: string): Expression => new Parser(expression).parse();

interface Token {
  readonly kind: "literal" | "keyword" | "function" | "variable" | "sign" | "end";
  /** The name or the sign. For a literal, the text that errors show. */
  readonly text: string;
  readonly value: Literal;
  readonly position: number;
}

const SPACE = /[ \t\r\n]*/uy;
const VARIABLE = /\$[\p{L}\p{N}_]*/uy;
const WORD = /(?:(?!__)[\p{L}_][\p{L}\p{N}_]*)/uy;
const NUMBER = /\p{Nd}+(?:\.\p{Nd}+)?(?![\p{L}\p{N}_])/uy;
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/uy;
const SIGN = /\?\.|=~|!~|>=|<=|!=|=>|->|[.+\-*/><=[{()\],}]/uy;

const WORD_SIGNS: ReadonlySet<string> = new Set(["mod", "in", "not", "and", "or"]);
const CONSTANTS: ReadonlyMap<string, { readonly value: Literal; readonly shown: string }> = new Map(
  [
    ["true", { value: true, shown: "True" }],
    ["false", { value: false, shown: "False" }],
    ["null", { value: null, shown: "None" }],
  ],
);

const ESCAPE =
  /\\(?:U([0-9A-Fa-f]{8})|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-7]{1,3})|([\\'"abfnrtv]))/gu;
const CODE_POINT_MAX = 0x10_ff_ff;

const unescaped = (text: string, position: number): string =>
  text.replace(ESCAPE, (_, long, short, byte, octal, letter: string | undefined) => {
    if (letter !== undefined) return CONTROL_CHARACTERS[letter] ?? letter;
    const hex: string | undefined = long ?? short ?? byte;
    const point = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    if (point <= CODE_POINT_MAX) return String.fromCodePoint(point);
    throw new YaqlError("syntax", `Lexical error: illegal character '\\' at position ${position}`);
  });

const textOf = (quoted: string, position: number): string => {
  const inner = quoted.slice(1, -1);
  return quoted.startsWith("`") ? inner.replaceAll("\\`", "`") : unescaped(inner, position);
};

const tokenAt = (expression: string, from: number): Token & { readonly end: number } => {
  const read = (pattern: RegExp, at: number): string => {
    pattern.lastIndex = at;
    return pattern.exec(expression)?.[0] ?? "";
  };
  const position = from + read(SPACE, from).length;
  const base = { value: null, position };
  if (position >= expression.length) return { ...base, kind: "end", text: "", end: position };
  const variable = read(VARIABLE, position);
  if (variable !== "") {
    return { ...base, kind: "variable", text: variable, end: position + variable.length };
  }
  const number = read(NUMBER, position);
  if (number !== "") return { ...numberToken(number, position), end: position + number.length };
  const word = read(WORD, position);
  const afterWord = position + word.length;
  if (word !== "" && expression.charAt(afterWord) === "(") {
    return { ...base, kind: "function", text: word, end: afterWord + 1 };
  }
  if (word !== "") return { ...wordToken(word, position), end: afterWord };
  const quoted = read(QUOTED, position);
  if (quoted !== "") {
    const value = textOf(quoted, position);
    return { kind: "literal", text: value, value, position, end: position + quoted.length };
  }
  const sign = read(SIGN, position);
  if (sign !== "") return { ...base, kind: "sign", text: sign, end: position + sign.length };
  const character = String.fromCodePoint(expression.codePointAt(position) ?? 0);
  throw new YaqlError(
    "syntax",
    `Lexical error: illegal character '${character}' at position ${position}`,
  );
};

const numberToken = (text: string, position: number): Token => {
  const value = /^[0-9]+$/.test(text) ? BigInt(text) : Number(text);
  return { kind: "literal", text: String(value), value, position };
};

const wordToken = (word: string, position: number): Token => {
  if (WORD_SIGNS.has(word)) return { kind: "sign", text: word, value: null, position };
  const constant = CONSTANTS.get(word);
  if (constant === undefined) return { kind: "keyword", text: word, value: word, position };
  return { kind: "literal", text: constant.shown, value: constant.value, position };
};
