/**
 * `node test/architecture/english.ts [PATH …]` lists what is wrong with the English of these files,
 * or of all files.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Comment, commentParagraphs, commentsOf } from "./comments.ts";
import { ROOT } from "./import-rules.ts";
import { COMMENT_COLUMNS_MAX, complaintsAbout, pageParagraphs } from "./plain-english.ts";
import type { Problem } from "./rule.ts";
import { parse } from "./syntax-rules.ts";

/**
 * A text has at least three words, because shorter ones are keys or labels. Several lines are a
 * script, a query or a template.
 */
const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  (ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)) &&
  /\S\s+\S+\s+\S/.test(node.text) &&
  !node.text.includes("\n");

const textsIn = (syntax: ts.SourceFile): readonly { line: number; text: string }[] => {
  const texts: { line: number; text: string }[] = [];
  const look = (node: ts.Node): void => {
    if (isText(node)) {
      const { line } = syntax.getLineAndCharacterOfPosition(node.getStart(syntax));
      texts.push({ line: line + 1, text: node.text });
    }
    ts.forEachChild(node, look);
  };
  look(syntax);
  return texts;
};

const wideComments = (text: string, comments: readonly Comment[]): readonly Problem[] => {
  const lines = text.split("\n");
  return comments.flatMap((comment) =>
    comment.lines.flatMap((_, at) => {
      const columns = lines[comment.line - 1 + at]?.length ?? 0;
      return columns > COMMENT_COLUMNS_MAX
        ? [{ line: comment.line + at, what: `a comment of ${columns} columns` }]
        : [];
    }),
  );
};

export const englishProblems = (path: string, text: string): readonly Problem[] => {
  const complaints = (paragraphs: readonly { line: number; text: string }[]) =>
    paragraphs.flatMap((one) =>
      complaintsAbout(one.text).map((what): Problem => ({ line: one.line, what })),
    );
  if (path.endsWith(".md")) return complaints(pageParagraphs(text));
  const source = parse(path, text);
  const comments = commentsOf(source.syntax);
  return [
    ...complaints(commentParagraphs(comments)),
    ...complaints(textsIn(source.syntax)),
    ...wideComments(text, comments),
  ];
};

if (import.meta.main) {
  const listed = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", ...process.argv.slice(2)],
    { cwd: ROOT, encoding: "utf8" },
  );
  let total = 0;
  for (const path of listed.split("\n")) {
    if (!/\.(tsx?|md)$/.test(path) || !existsSync(join(ROOT, path))) continue;
    for (const { line, what } of englishProblems(path, readFileSync(join(ROOT, path), "utf8"))) {
      console.log(`${path}:${line} ${what}`);
      total++;
    }
  }
  console.log(`${total} problems`);
}
