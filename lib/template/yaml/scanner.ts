/**
 * The tokens of a YAML text. Indentation opens and closes collections, and only the `:` after a key
 * shows that it is one. So a token waits until no `:` can make it a key.
 */
import { pythonRepr } from "../python-text.ts";
import { takeBlockScalar } from "./block-scalars.ts";
import { isDocumentSeparator, takePlain, takeQuoted } from "./flow-scalars.ts";
import { type Token, type TokenId, takeAnchorName, takeDirective, takeTag } from "./names.ts";
import { SimpleKeys } from "./simple-keys.ts";
import { isBlankOrEnd, isSpace, isTab, Source } from "./source.ts";

/**
 * Heat reads with libyaml, and reads a text that libyaml refuses again with PyYAML's own parser.
 * The two differ in tabs and in question marks.
 */
export type Dialect = "libyaml" | "PyYAML";

const BYTE_ORDER_MARK = "\ufeff";
const DOCUMENT_MARK_CHARS = 3;
const INDICATORS = "-?:,[]{}#&*!|>'\"%@`";

export class Scanner {
  readonly source: Source;
  readonly #dialect: Dialect;
  readonly #keys: SimpleKeys;
  #tokens: Token[] = [];
  #next = 0;
  #dropped = 0;
  #isDone = false;
  #flowLevel = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #mayBeKey = true;

  constructor(text: string, dialect: Dialect) {
    this.source = new Source(text);
    this.#dialect = dialect;
    this.#keys = new SimpleKeys(this.source);
  }

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new RangeError("the text has no more tokens");
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.#next += 1;
    if (this.#next === this.#tokens.length) {
      this.#dropped += this.#next;
      this.#tokens = [];
      this.#next = 0;
    }
    return token;
  }

  get #taken(): number {
    return this.#dropped + this.#next;
  }

  #needsMore(): boolean {
    if (this.#isDone) return false;
    if (this.#next === this.#tokens.length) return true;
    this.#keys.dropStale();
    return this.#keys.nearestToken === this.#taken;
  }

  #fetch(): void {
    const { source } = this;
    this.#skipToToken();
    this.#keys.dropStale();
    this.#unwind(source.column);
    const isAtLine = source.column === 0;
    if (source.at >= source.text.length) this.#fetchEnd();
    else if (isAtLine && source.startsWith("%")) this.#fetchDirective();
    else if (isAtLine && isDocumentSeparator(source)) this.#fetchDocumentMark();
    else this.#fetchByCharacter(source.character());
  }

  #fetchByCharacter(character: string): void {
    if (character === "[" || character === "{") this.#fetchFlowStart(character);
    else if (character === "]" || character === "}") this.#fetchFlowEnd(character);
    else if (character === ",") this.#fetchIndicator(",");
    else if (character === "*" || character === "&") {
      const id = character === "*" ? "<alias>" : "<anchor>";
      this.#fetchKeyPart(id, () => ({ value: takeAnchorName(this.source) }));
    } else if (character === "!") {
      this.#fetchKeyPart("<tag>", () => ({ tag: takeTag(this.source) }));
    } else if (character === "'" || character === '"') {
      this.#fetchKeyPart("<scalar>", () => ({ value: takeQuoted(this.source) }));
    } else this.#fetchByContext(character);
  }

  #fetchByContext(character: string): void {
    const isInFlow = this.#flowLevel > 0;
    const isAlone = isBlankOrEnd(this.source.code(1));
    if (character === "-" && isAlone) this.#fetchBlockEntry();
    else if (character === "?" && (isAlone || isInFlow)) this.#fetchKey();
    else if (character === ":" && (isAlone || isInFlow)) this.#fetchValue();
    else if ((character === "|" || character === ">") && !isInFlow) this.#fetchBlockScalar();
    else if (this.#beginsPlain(character, isAlone)) this.#fetchPlain();
    else {
      throw this.source.problem(
        { doing: "while scanning for the next token", offset: null },
        `found character ${pythonRepr(character)} that cannot start any token`,
      );
    }
  }

  #beginsPlain(character: string, isAlone: boolean): boolean {
    if (!INDICATORS.includes(character)) return !isBlankOrEnd(this.source.code());
    if (isAlone) return false;
    return character === "-" || (this.#flowLevel === 0 && "?:".includes(character));
  }

  #skipToToken(): void {
    const { source } = this;
    if (source.at === 0 && source.startsWith(BYTE_ORDER_MARK)) {
      source.skip();
      source.lineStart = source.at;
    }
    for (;;) {
      while (isSpace(source.code()) || (isTab(source.code()) && this.#areTabsBlank())) {
        source.skip();
      }
      source.skipComment();
      if (source.takeBreak() === "") return;
      if (this.#flowLevel === 0) this.#mayBeKey = true;
    }
  }

  /** libyaml accepts a tab where indentation does not matter. */
  #areTabsBlank(): boolean {
    return this.#dialect === "libyaml" && (this.#flowLevel > 0 || !this.#mayBeKey);
  }

  #unwind(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#indent = this.#indents.pop() ?? -1;
      this.#add("<block end>", this.source.at);
    }
  }

  #indentTo(column: number): boolean {
    if (this.#indent >= column) return false;
    this.#indents.push(this.#indent);
    this.#indent = column;
    return true;
  }

  #add(id: TokenId, start: number, rest: Partial<Token> = {}): void {
    this.#tokens.push({ ...rest, id, start, end: this.source.at });
  }

  #saveKey(): void {
    const { source } = this;
    if (!this.#mayBeKey) return;
    this.#keys.save(this.#flowLevel, {
      tokenNumber: this.#dropped + this.#tokens.length,
      isRequired: this.#flowLevel === 0 && this.#indent === source.column,
      at: source.at,
      line: source.line,
      column: source.column,
    });
  }

  #leaveBlocks(): void {
    this.#unwind(-1);
    this.#keys.remove(this.#flowLevel);
    this.#mayBeKey = false;
  }

  #fetchEnd(): void {
    this.#leaveBlocks();
    this.#add("<stream end>", this.source.at);
    this.#isDone = true;
  }

  #fetchDirective(): void {
    this.#leaveBlocks();
    const start = this.source.at;
    const directive = takeDirective(this.source);
    this.#add("<directive>", start, { directive });
  }

  #fetchDocumentMark(): void {
    this.#leaveBlocks();
    const start = this.source.at;
    const isStart = this.source.character() === "-";
    this.source.skip(DOCUMENT_MARK_CHARS);
    this.#add(isStart ? "<document start>" : "<document end>", start);
  }

  #fetchIndicator(id: TokenId): void {
    this.#keys.remove(this.#flowLevel);
    this.#mayBeKey = true;
    this.#addIndicator(id);
  }

  #addIndicator(id: TokenId): void {
    const start = this.source.at;
    this.source.skip();
    this.#add(id, start);
  }

  #fetchFlowStart(id: "[" | "{"): void {
    this.#saveKey();
    this.#flowLevel += 1;
    this.#mayBeKey = true;
    this.#addIndicator(id);
  }

  #fetchFlowEnd(id: "]" | "}"): void {
    this.#keys.remove(this.#flowLevel);
    this.#flowLevel -= 1;
    this.#mayBeKey = false;
    this.#addIndicator(id);
  }

  #beginInBlock(start: TokenId, refusal: string): void {
    if (this.#flowLevel > 0) return;
    if (!this.#mayBeKey) throw this.source.problem(null, `${refusal} are not allowed here`);
    if (this.#indentTo(this.source.column)) this.#add(start, this.source.at);
  }

  #fetchBlockEntry(): void {
    this.#beginInBlock("<block sequence start>", "sequence entries");
    this.#fetchIndicator("-");
  }

  #fetchKey(): void {
    this.#beginInBlock("<block mapping start>", "mapping keys");
    this.#fetchIndicator("?");
    this.#mayBeKey = this.#flowLevel === 0;
  }

  #fetchValue(): void {
    const key = this.#keys.take(this.#flowLevel);
    if (key === undefined) {
      this.#beginInBlock("<block mapping start>", "mapping values");
      this.#fetchIndicator(":");
      this.#mayBeKey = this.#flowLevel === 0;
      return;
    }
    const { at, column, tokenNumber } = key;
    const inserted: Token[] = [{ id: "?", start: at, end: at }];
    if (this.#flowLevel === 0 && this.#indentTo(column)) {
      inserted.unshift({ id: "<block mapping start>", start: at, end: at });
    }
    this.#tokens.splice(tokenNumber - this.#dropped, 0, ...inserted);
    this.#mayBeKey = false;
    this.#addIndicator(":");
  }

  /** Reads a token that may begin a key. */
  #fetchKeyPart(id: TokenId, read: () => Partial<Token>): void {
    this.#saveKey();
    this.#mayBeKey = false;
    const start = this.source.at;
    this.#add(id, start, read());
  }

  #fetchBlockScalar(): void {
    this.#mayBeKey = true;
    this.#keys.remove(this.#flowLevel);
    const start = this.source.at;
    const value = takeBlockScalar(this.source, {
      parentIndent: this.#indent,
      isLibyaml: this.#dialect === "libyaml",
    });
    this.#add("<scalar>", start, { value });
  }

  #fetchPlain(): void {
    this.#saveKey();
    const start = this.source.at;
    const { value, end, endedAtLine } = takePlain(this.source, {
      isInFlow: this.#flowLevel > 0,
      indent: this.#indent + 1,
      isLibyaml: this.#dialect === "libyaml",
    });
    this.#mayBeKey = endedAtLine;
    this.#tokens.push({ id: "<scalar>", start, end, value, isPlain: true });
  }
}
