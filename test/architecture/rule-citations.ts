/** Where the sources cite labels: comments of the engine, titles of tests, and checkers. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { ALL_DIRECTED } from "#test/simulation/directed/all.ts";
import { commentsOf } from "./comments.ts";
import { ROOT } from "./import-rules.ts";
import { citedBy } from "./labels.ts";
import type { TextFile } from "./repository.ts";
import { parse } from "./syntax-rules.ts";
import { filedTitles, textOf } from "./test-titles.ts";

const ENGINE = /^(?:lib|functions)\/.*\.ts$/;
const DIRECTED = /^test\/simulation\/directed\/(?!.*\.test\.ts$)/;
const CHECKERS = /^test\/(?:simulation\/(?:world|random)|prove)\/(?!.*\.test\.ts$).*\.ts$/;

/** One for each comment, because a comment cites a label once, however often it has it. */
export const engineComments = (files: readonly TextFile[]): readonly TextFile[] =>
  files
    .filter(({ path, text }) => ENGINE.test(path) && /\bP\d/.test(text))
    .flatMap(({ path, text }) =>
      commentsOf(parse(path, text).syntax).map(({ lines }) => ({ path, text: lines.join("\n") })),
    );

/** The table of all cases does not know their files, so each file is asked for its own. */
const directedTitles = async (files: readonly TextFile[]): Promise<readonly TextFile[]> => {
  const titles = new Map<string, string>();
  for (const { path } of files.filter((file) => DIRECTED.test(file.path))) {
    if (path.endsWith("/all.ts")) continue;
    const exported: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(join(ROOT, path)).href
    );
    const values: readonly unknown[] = Object.values(exported).flat();
    for (const one of ALL_DIRECTED) if (values.includes(one)) titles.set(one.title, path);
  }
  return ALL_DIRECTED.map(({ title }) => {
    const path = titles.get(title);
    if (path === undefined) throw new Error(`no file of directed cases exports "${title}"`);
    return { path, text: title };
  });
};

export const titlesOfTests = async (files: readonly TextFile[]): Promise<readonly TextFile[]> => {
  const tests = files.filter(({ path }) => path.startsWith("test/") && path.endsWith(".ts"));
  const filed = filedTitles(tests.map(({ path, text }) => parse(path, text)));
  return [...filed, ...(await directedTitles(files))].map(({ path, text }) => ({
    path,
    text: citedBy(text),
  }));
};

/** A checker's complaint begins with the label of what is broken. */
export const complaintsOfCheckers = (files: readonly TextFile[]): readonly TextFile[] =>
  files
    .filter(({ path }) => CHECKERS.test(path))
    .flatMap(({ path, text }) => {
      const complaints: TextFile[] = [];
      const look = (node: ts.Node): void => {
        const cited = citedBy(ts.isExpression(node) ? textOf(node) : "");
        if (cited !== "") complaints.push({ path, text: cited });
        ts.forEachChild(node, look);
      };
      look(parse(path, text).syntax);
      return complaints;
    });
