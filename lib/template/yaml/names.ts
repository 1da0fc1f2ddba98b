import {
  type Context,
  isBlankOrEnd,
  isBreakOrEnd,
  isHexadecimal,
  isSpaceOrEnd,
  type Source,
} from "./source.ts";

const WORD = /[0-9A-Za-z_-]*/y;
const URI_RUN = /[0-9A-Za-z\-;/?:@&=+$,_.!~*'()[\]]*/y;
const DIGITS = /[0-9]*/y;
const AFTER_ANCHOR = "?:,]}%@`";
const HEXADECIMAL = 16;

const WORD_WANTED = "expected alphabetic or numeric character";

export const takeAnchorName = (source: Source): string => {
  const kind = source.character() === "*" ? "alias" : "anchor";
  const context: Context = { doing: `while scanning an ${kind}`, offset: source.at };
  source.skip();
  const name = source.takeWhile(WORD);
  const isEnd = isBlankOrEnd(source.code()) || AFTER_ANCHOR.includes(source.character());
  if (name === "" || !isEnd) throw source.unexpected(context, WORD_WANTED);
  return name;
};

const takeUriEscapes = (source: Source, context: Context): string => {
  const begun = source.at;
  const bytes: number[] = [];
  while (source.character() === "%") {
    source.skip();
    for (let at = 0; at < 2; at += 1) {
      if (isHexadecimal(source.character(at))) continue;
      throw source.unexpected(context, "expected URI escape sequence of 2 hexadecimal numbers", at);
    }
    bytes.push(Number.parseInt(source.take(2), HEXADECIMAL));
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    throw source.problem(context, "the bytes are not UTF-8", begun);
  }
};

const takeUri = (source: Source, what: "tag" | "directive", offset: number): string => {
  const context: Context = { doing: `while scanning a ${what}`, offset };
  let uri = source.takeWhile(URI_RUN);
  while (source.character() === "%") {
    uri += takeUriEscapes(source, context);
    uri += source.takeWhile(URI_RUN);
  }
  if (uri === "")
    throw source.unexpected({ doing: `while parsing a ${what}`, offset }, "expected URI");
  return uri;
};

const takeHandle = (source: Source, what: "tag" | "directive", offset: number): string => {
  const context: Context = { doing: `while scanning a ${what}`, offset };
  if (source.character() !== "!") throw source.unexpected(context, "expected '!'");
  const begun = source.at;
  source.skip();
  if (source.character() !== " ") {
    source.takeWhile(WORD);
    if (source.character() !== "!") throw source.unexpected(context, "expected '!'");
    source.skip();
  }
  return source.text.slice(begun, source.at);
};

const hasHandle = (source: Source): boolean => {
  for (let ahead = 1; ; ahead += 1) {
    if (isSpaceOrEnd(source.code(ahead))) return false;
    if (source.character(ahead) === "!") return true;
  }
};

const takeTagName = (source: Source, begun: number): TagName => {
  if (source.character(1) === "<") {
    source.skip(2);
    const suffix = takeUri(source, "tag", begun);
    if (source.character() !== ">") {
      throw source.unexpected({ doing: "while parsing a tag", offset: begun }, "expected '>'");
    }
    source.skip();
    return { handle: null, suffix };
  }
  if (isBlankOrEnd(source.code(1))) {
    source.skip();
    return { handle: null, suffix: "!" };
  }
  if (hasHandle(source)) {
    const handle = takeHandle(source, "tag", begun);
    return { handle, suffix: takeUri(source, "tag", begun) };
  }
  source.skip();
  return { handle: "!", suffix: takeUri(source, "tag", begun) };
};

export const takeTag = (source: Source): TagName => {
  const begun = source.at;
  const name = takeTagName(source, begun);
  if (isSpaceOrEnd(source.code())) return name;
  throw source.unexpected({ doing: "while scanning a tag", offset: begun }, "expected ' '");
};

const takeVersion = (source: Source, context: Context): Directive => {
  source.skipSpaces();
  const major = source.takeWhile(DIGITS);
  if (major === "") throw source.unexpected(context, "expected a digit");
  if (source.character() !== ".") throw source.unexpected(context, "expected a digit or '.'");
  source.skip();
  const minor = source.takeWhile(DIGITS);
  if (minor === "") throw source.unexpected(context, "expected a digit");
  if (!isSpaceOrEnd(source.code())) throw source.unexpected(context, "expected a digit or ' '");
  return { name: "YAML", major: Number(major) };
};

const takeTagDirective = (source: Source, context: Context, begun: number): Directive => {
  source.skipSpaces();
  const handle = takeHandle(source, "directive", begun);
  if (source.character() !== " ") throw source.unexpected(context, "expected ' '");
  source.skipSpaces();
  const prefix = takeUri(source, "directive", begun);
  if (!isSpaceOrEnd(source.code())) throw source.unexpected(context, "expected ' '");
  return { name: "TAG", handle, prefix };
};

const takeDirectiveValue = (source: Source, context: Context, begun: number): Directive => {
  const name = source.takeWhile(WORD);
  if (name === "" || !isSpaceOrEnd(source.code())) throw source.unexpected(context, WORD_WANTED);
  if (name === "YAML") return takeVersion(source, context);
  if (name === "TAG") return takeTagDirective(source, context, begun);
  source.takeRestOfLine();
  return { name: "other" };
};

export const takeDirective = (source: Source): Directive => {
  const begun = source.at;
  const context: Context = { doing: "while scanning a directive", offset: begun };
  source.skip();
  const directive = takeDirectiveValue(source, context, begun);
  source.skipSpaces();
  source.skipComment();
  if (!isBreakOrEnd(source.code())) {
    throw source.unexpected(context, "expected a comment or a line break");
  }
  source.takeBreak();
  return directive;
};

/** The tokens of YAML 1.1, in PyYAML's words, which errors show. */
export type TokenId =
  | "<directive>"
  | "<document start>"
  | "<document end>"
  | "<stream end>"
  | "<block sequence start>"
  | "<block mapping start>"
  | "<block end>"
  | "["
  | "{"
  | "]"
  | "}"
  | "?"
  | ":"
  | "-"
  | ","
  | "<alias>"
  | "<anchor>"
  | "<tag>"
  | "<scalar>";

export interface TagName {
  readonly handle: string | null;
  readonly suffix: string;
}

type Directive =
  | { readonly name: "YAML"; readonly major: number }
  | { readonly name: "TAG"; readonly handle: string; readonly prefix: string }
  | { readonly name: "other" };

export interface Token {
  readonly id: TokenId;
  readonly start: number;
  readonly end: number;
  readonly value?: string;
  readonly isPlain?: boolean;
  readonly tag?: TagName;
  readonly directive?: Directive;
}
