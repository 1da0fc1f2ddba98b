import {
  type Context,
  isBreak,
  isBreakOrEnd,
  isSpace,
  isSpaceOrEnd,
  isTab,
  type Source,
} from "./source.ts";

interface Header {
  readonly chomping: "keep all" | "keep one" | "strip";
  /** The written indentation relative to the parent, or null to use that of the first line. */
  readonly increment: number | null;
}

const takeIncrement = (source: Source, context: Context): number | null => {
  const character = source.character();
  if (!/^[0-9]$/.test(character)) return null;
  if (character === "0") {
    throw source.problem(context, "expected indentation indicator in the range 1-9, but found 0");
  }
  source.skip();
  return Number(character);
};

const takeChomping = (source: Source): Header["chomping"] => {
  const character = source.character();
  if (character !== "+" && character !== "-") return "keep one";
  source.skip();
  return character === "+" ? "keep all" : "strip";
};

const takeHeader = (source: Source, context: Context, isLibyaml: boolean): Header => {
  source.skip();
  const first = takeChomping(source);
  const increment = takeIncrement(source, context);
  const chomping = first === "keep one" && increment !== null ? takeChomping(source) : first;
  if (!isLibyaml && !isSpaceOrEnd(source.code())) {
    throw source.unexpected(context, "expected chomping or indentation indicators");
  }
  source.skipSpaces();
  while (isLibyaml && (isTab(source.code()) || isSpace(source.code()))) source.skip();
  source.skipComment();
  if (!isBreakOrEnd(source.code())) {
    throw source.unexpected(context, "expected a comment or a line break");
  }
  source.takeBreak();
  return { chomping, increment };
};

const takeEmptyLines = (source: Source, indent: number): string => {
  let breaks = "";
  for (;;) {
    while (source.column < indent && isSpace(source.code())) source.skip();
    if (!isBreak(source.code())) return breaks;
    breaks += source.takeBreak();
  }
};

const takeFirstLines = (source: Source): { readonly breaks: string; readonly widest: number } => {
  let breaks = "";
  let widest = 0;
  for (;;) {
    source.skipSpaces();
    widest = Math.max(widest, source.column);
    if (!isBreak(source.code())) return { breaks, widest };
    breaks += source.takeBreak();
  }
};

const isMoreIndented = (source: Source): boolean => isSpace(source.code()) || isTab(source.code());

export interface BlockScalarOptions {
  readonly parentIndent: number;
  /** libyaml accepts tabs or a comment directly after the indicators. */
  readonly isLibyaml: boolean;
}

export const takeBlockScalar = (source: Source, options: BlockScalarOptions): string => {
  const isFolded = source.character() === ">";
  const context: Context = { doing: "while scanning a block scalar", offset: source.at };
  const { chomping, increment } = takeHeader(source, context, options.isLibyaml);
  const indentMin = Math.max(options.parentIndent + 1, 1);
  let indent = indentMin + (increment ?? 1) - 1;
  let breaks: string;
  if (increment === null) {
    const first = takeFirstLines(source);
    indent = Math.max(indentMin, first.widest);
    breaks = first.breaks;
  } else {
    breaks = takeEmptyLines(source, indent);
  }
  const parts: string[] = [];
  let lastBreak = "";
  while (source.column === indent && source.at < source.text.length) {
    parts.push(breaks);
    const wasMoreIndented = isMoreIndented(source);
    parts.push(source.takeRestOfLine());
    lastBreak = source.takeBreak();
    breaks = takeEmptyLines(source, indent);
    if (source.column !== indent || source.at >= source.text.length) break;
    const isJoined = isFolded && lastBreak === "\n" && !wasMoreIndented && !isMoreIndented(source);
    if (!isJoined) parts.push(lastBreak);
    else if (breaks === "") parts.push(" ");
  }
  if (chomping !== "strip") parts.push(lastBreak);
  if (chomping === "keep all") parts.push(breaks);
  return parts.join("");
};
