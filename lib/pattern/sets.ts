import { type Category, CharacterSet, type Folding, joinRanges } from "./characters.ts";
import { codeOf, escapedInSet } from "./escapes.ts";
import type { Flags } from "./flags.ts";
import type { Tokens } from "./tokens.ts";

export const foldingOf = ({ ignoreCase, ascii }: Flags): Folding => {
  if (!ignoreCase) return "none";
  return ascii ? "ascii" : "unicode";
};

export const readSet = (tokens: Tokens, flags: Flags): CharacterSet => {
  const start = tokens.position - 1;
  const ranges: (readonly [number, number])[] = [];
  const categories: Category[] = [];
  const isNegated = tokens.accepts("^");
  const take = (): string => {
    const token = tokens.take();
    if (token !== null) return token;
    throw tokens.failureAt("unterminated character set", start);
  };
  const itemOf = (token: string): number | Category =>
    token.startsWith("\\") ? escapedInSet(tokens, token, flags) : codeOf(token);
  const add = (item: number | Category): void => {
    if (typeof item === "number") ranges.push([item, item]);
    else categories.push(item);
  };
  for (;;) {
    const token = take();
    const isFirst = ranges.length === 0 && categories.length === 0;
    if (token === "]" && !isFirst) break;
    const first = itemOf(token);
    if (!tokens.accepts("-")) {
      add(first);
      continue;
    }
    const end = take();
    if (end === "]") {
      add(first);
      add(codeOf("-"));
      break;
    }
    const last = itemOf(end);
    if (typeof first !== "number" || typeof last !== "number" || last < first) {
      // Python computes the position from the end, with the two-character tokens of the escapes.
      throw tokens.failure(`bad character range ${token}-${end}`, token, "-", end);
    }
    ranges.push([first, last]);
  }
  return new CharacterSet(joinRanges(ranges), categories, isNegated, foldingOf(flags));
};
