import { basename } from "node:path";
import type { TextFile } from "./repository.ts";
import { everywhere, type Rule } from "./rule.ts";

type TextRule = Rule<TextFile>;

const HANDLER_LINES_MAX = 40;
const CONVERGER_LINES_MAX = 200;

const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path);

const linesIn = (text: string): number => text.trimEnd().split("\n").length;

const atMost = (
  linesMax: number,
  what: string,
  appliesTo: (path: string) => boolean,
): TextRule => ({
  name: `${what} has at most ${linesMax} lines`,
  appliesTo,
  problemsOf: ({ text }) => {
    const lines = linesIn(text);
    return lines > linesMax ? [{ line: 1, what: `has ${lines} lines` }] : [];
  },
});

const without = (
  what: string,
  pattern: RegExp,
  appliesTo: (path: string) => boolean = everywhere,
): TextRule => ({
  name: `no file has ${what}`,
  appliesTo,
  problemsOf: ({ text }) =>
    text.split("\n").flatMap((line, index) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [{ line: index + 1, what: found }];
    }),
});

const named = (what: string, isWrong: (path: string) => boolean): TextRule => ({
  name: `no file is ${what}`,
  appliesTo: everywhere,
  problemsOf: ({ path }) => (isWrong(path) ? [{ line: 1, what: `is ${what}` }] : []),
});

const EMPTY_NAMES = new Set(["utils", "util", "helpers", "helper", "common", "manager"]);

const isEmptyName = (path: string): boolean =>
  path
    .split("/")
    .flatMap((part) => part.split(/[.-]/))
    .some((word) => EMPTY_NAMES.has(word.toLowerCase()));

// Some letters are in brackets of their own, so that a pattern does not find itself here.
export const TEXT_RULES: readonly TextRule[] = [
  atMost(HANDLER_LINES_MAX, "a handler", (path) => /^functions\/[^/]+\/handler\.ts$/.test(path)),
  atMost(CONVERGER_LINES_MAX, "the converger", (path) => path === "lib/convergence/converger.ts"),
  named("called after nothing in particular", isEmptyName),
  named("a barrel", (path) => basename(path) === "index.ts"),
  without("a mark for work left undone", /\b(?:TO[D]O|FIX[M]E|X[X]X)\b/, isTypeScript),
  without("a licence block", /SPDX-[L]icense|\b[C]opyright \(c\)|Licensed under the [A]pache/i),
  without("an emoji", /\p{Emoji_Presentation}|\u{fe0f}/u),
  without("a path of somebody's machine", /(?<![\w.$}-])\/(?:w[o]rk|ro[o]t)\//),
  without("a registry's host", /\bregistry\.[n]pmjs\.org|\b[a]rtifactory\b/i),
];
