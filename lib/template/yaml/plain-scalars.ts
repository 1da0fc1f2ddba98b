import { isBlankOrEnd, isBreak, isSpace, isTab } from "./characters.ts";
import { BLANKS, isDocumentSeparator } from "./flow-scalars.ts";
import type { Source } from "./source.ts";

export interface PlainScalarOptions {
  readonly isInFlow: boolean;
  readonly indent: number;
  /** libyaml accepts tabs between words, and question marks in flow collections. */
  readonly isLibyaml: boolean;
}

const SAFE_RUN = /[^\s:,?[\]{}\x85\ufeff]+/y;
const FLOW_ENDS = ",[]{}";

const isEndOfWord = (source: Source, options: PlainScalarOptions): boolean => {
  const code = source.code();
  if (isBlankOrEnd(code)) return true;
  const character = String.fromCharCode(code);
  const { isInFlow, isLibyaml } = options;
  if (character !== ":") {
    return isInFlow && (FLOW_ENDS.includes(character) || (character === "?" && !isLibyaml));
  }
  if (isBlankOrEnd(source.code(1))) return true;
  if (!isInFlow || !FLOW_ENDS.includes(source.character(1))) return false;
  if (!isLibyaml) return true;
  throw source.problem(null, "found unexpected ':'");
};

const takeWord = (source: Source, options: PlainScalarOptions): string => {
  const begun = source.at;
  while (!isEndOfWord(source, options)) {
    if (source.takeWhile(SAFE_RUN) === "") source.skip();
  }
  return source.text.slice(begun, source.at);
};

interface Gap {
  readonly text: string;
  readonly isLast: boolean;
  readonly hasBreak: boolean;
}

const skipIndentation = (source: Source, { indent, isLibyaml }: PlainScalarOptions): void => {
  while (isSpace(source.code()) || (isLibyaml && isTab(source.code()))) {
    if (isTab(source.code()) && source.column < indent) {
      throw source.problem(null, "found a tab character that violates indentation");
    }
    source.skip();
  }
};

/** A single line break becomes a space. If more follow, only those are kept. */
const takeGap = (source: Source, options: PlainScalarOptions): Gap => {
  const blanks = source.takeWhile(options.isLibyaml ? BLANKS : SPACES);
  if (!isBreak(source.code())) return { text: blanks, isLast: blanks === "", hasBreak: false };
  const first = source.takeBreak();
  let further = "";
  for (;;) {
    if (isDocumentSeparator(source)) return { text: "", isLast: true, hasBreak: true };
    skipIndentation(source, options);
    if (!isBreak(source.code())) break;
    further += source.takeBreak();
  }
  const folded = further === "" ? " " : further;
  return { text: first === "\n" ? folded : first + further, isLast: false, hasBreak: true };
};

const SPACES = / */y;

export interface PlainScalar {
  readonly value: string;
  readonly end: number;
  readonly endedAtLine: boolean;
}

export const takePlain = (source: Source, options: PlainScalarOptions): PlainScalar => {
  let value = "";
  let gap: Gap = { text: "", isLast: false, hasBreak: false };
  let end = source.at;
  while (!gap.isLast && source.character() !== "#") {
    const word = takeWord(source, options);
    if (word === "") break;
    value += gap.text + word;
    end = source.at;
    gap = takeGap(source, options);
    if (!options.isInFlow && source.column < options.indent) break;
  }
  return { value, end, endedAtLine: gap.hasBreak };
};
