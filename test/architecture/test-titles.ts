import ts from "typescript";
import { ALL_DIRECTED } from "#test/simulation/directed/all.ts";
import { ALL_MUTANTS } from "#test/simulation/mutants/mutants.ts";
import type { TextFile } from "./repository.ts";
import type { SourceFile } from "./rule.ts";

const SUITE = /^(it|test|describe)(\.|$)/;

const nameOf = (node: ts.Node): string => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return `${nameOf(node.expression)}.${node.name.text}`;
  return ts.isCallExpression(node) ? nameOf(node.expression) : "";
};

/** Only the literal parts of a composed text are known. A placeholder ends a word. */
export const textOf = (node: ts.Node | undefined): string => {
  if (node === undefined) return "";
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return "";
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(" … ");
};

const titlesIn = ({ syntax }: SourceFile): readonly string[] => {
  const titles: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && SUITE.test(nameOf(node.expression))) {
      titles.push(textOf(node.arguments[0]));
    }
    ts.forEachChild(node, look);
  };
  look(syntax);
  return titles.filter((title) => title !== "");
};

/** Those that a file itself gives to a suite. Tables have further ones. */
export const filedTitles = (sources: readonly SourceFile[]): readonly TextFile[] =>
  sources
    .filter(({ path }) => /^test\/.*\.(test|contract)\.ts$|random-stretch\.ts$/.test(path))
    .flatMap((source) => titlesIn(source).map((text) => ({ path: source.path, text })));

/** Directed cases and mutants are tables, and only they have these titles. */
export const testTitles = (sources: readonly SourceFile[]): readonly string[] => [
  ...filedTitles(sources).map(({ text }) => text),
  ...ALL_DIRECTED.map(({ title }) => title),
  ...ALL_MUTANTS.map(({ rule, name }) => `${rule}: ${name}`),
];
