import ts from "typescript";

export interface Paragraph {
  readonly line: number;
  readonly text: string;
}

export interface Comment {
  readonly line: number;
  readonly lines: readonly string[];
}

const isComment = (kind: ts.SyntaxKind): boolean =>
  kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia;

/** Only trivia is read, because text inside a template literal is not a comment. */
export const commentsOf = (source: ts.SourceFile): readonly Comment[] => {
  const { text } = source;
  const found = new Map<number, Comment>();
  const add = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end, kind } of ranges ?? []) {
      if (!isComment(kind)) continue;
      const line = source.getLineAndCharacterOfPosition(pos).line + 1;
      found.set(pos, { line, lines: text.slice(pos, end).split("\n") });
    }
  };
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length === 0) {
      add(ts.getLeadingCommentRanges(text, node.getFullStart()));
      add(ts.getTrailingCommentRanges(text, node.getEnd()));
    }
    for (const child of children) visit(child);
  };
  visit(source);
  return [...found].toSorted(([a], [b]) => a - b).map(([, comment]) => comment);
};

const unmarked = (line: string): string =>
  line
    .trim()
    .replace(/^\/\*\*?|\*\/$/g, "")
    .replace(/^\s*\*(?!\*)|^\/\//, "")
    .replace(/\*\/\s*$/, "")
    .trim();

/** A list item, a label such as `C1`, a tag or a table row starts a new paragraph. */
const BEGINS_ANEW = /^(?:[-*] |\d+[.)] |[A-Z]{1,2}\d+ {2}|@\w|\|)/;
const isDrawing = (line: string): boolean => /^[\s\W_]*$/.test(line);

export const paragraphsOf = (
  lines: readonly { readonly line: number; readonly text: string }[],
): readonly Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  let current: Paragraph | null = null;
  for (const { line, text } of lines) {
    if (isDrawing(text) || BEGINS_ANEW.test(text)) {
      if (current !== null) paragraphs.push(current);
      current = isDrawing(text) ? null : { line, text };
    } else {
      current =
        current === null ? { line, text } : { line: current.line, text: `${current.text} ${text}` };
    }
  }
  return current === null ? paragraphs : [...paragraphs, current];
};

export const commentParagraphs = (comments: readonly Comment[]): readonly Paragraph[] => {
  const groups: { line: number; text: string }[][] = [];
  let next = -1;
  for (const { line, lines } of comments) {
    const prose = lines.map((text, at) => ({ line: line + at, text: unmarked(text) }));
    const isLineComment = lines[0]?.trimStart().startsWith("//") === true;
    if (isLineComment && line === next) groups.at(-1)?.push(...prose);
    else groups.push(prose);
    next = isLineComment ? line + 1 : -1;
  }
  return groups.flatMap(paragraphsOf);
};
