/**
 * Regular expressions whose time grows faster than their text: a long text of a stranger would
 * block the whole process. Patterns of tenants run on a machine of our own (lib/pattern).
 */
import { analyse } from "scslre";
import ts from "typescript";
import type { Problem, SourceFile } from "./rule.ts";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

const LITERALS = /^(?:[^\\^$.|?*+()[\]{}]|\\[^a-zA-Z0-9])+(?![?*+{])/u;

const isMatch = (element: string, flags: string, text: string): boolean =>
  new RegExp(`^(?:${element})*$`, flags.replace(/[gy]/g, "")).test(text);

/**
 * Behind a beginning such as `(in `, a quantifier that can also match the beginning reads on from
 * each beginning to the end of the text.
 */
const isReadFromEachStart = ({ source, flags }: Pattern): boolean => {
  const start = LITERALS.exec(source)?.[0] ?? "";
  if (start === "" || flags.includes("y")) return false;
  const { reports } = analyse({ source: source.slice(start.length), flags }, REJECTING);
  const text = start.replaceAll(/\\(.)/gu, "$1");
  return reports.some(
    (report) => report.type === "Move" && isMatch(report.quant.element.raw, flags, text),
  );
};

/** A match can fail only because of what the pattern itself requires next. */
const REJECTING = { assumeRejectingSuffix: false };

export const slowness = (pattern: Pattern): string | null => {
  const [report] = analyse({ ...pattern }, REJECTING).reports;
  if (report?.type === "Move") return "it is tried from each place of a run of characters";
  if (report !== undefined) return "two of its quantifiers can read the same characters";
  return isReadFromEachStart(pattern) ? "it reads on from each of its beginnings" : null;
};

const patternOf = ({ text }: ts.RegularExpressionLiteral): Pattern => {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
};

export interface PlacedPattern extends Pattern, Pick<Problem, "line"> {
  readonly text: string;
}

export const patternsIn = ({ syntax }: SourceFile): readonly PlacedPattern[] => {
  const found: PlacedPattern[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = syntax.getLineAndCharacterOfPosition(node.getStart(syntax));
      found.push({ ...patternOf(node), text: node.text, line: line + 1 });
    }
    ts.forEachChild(node, look);
  };
  look(syntax);
  return found;
};
