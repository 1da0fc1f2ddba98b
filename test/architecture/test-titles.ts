/** Every title that a test of this repository has, as far as it can be read without running it. */
import ts from "typescript";
import { ALL_DIRECTED } from "#test/simulation/directed/all.ts";
import { ALL_MUTANTS } from "#test/simulation/mutants/mutants.ts";
import type { SourceFile } from "./rule.ts";

const SUITE = /^(it|test|describe)(\.|$)/;

const nameOf = (node: ts.Node): string => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return `${nameOf(node.expression)}.${node.name.text}`;
  return ts.isCallExpression(node) ? nameOf(node.expression) : "";
};

/** Of a title that is put together only what is written is known; a place that is filled in ends a word. */
const textOf = (node: ts.Node | undefined): string => {
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

/** Directed cases and mutants are tables, whose titles stand nowhere else. */
export const testTitles = (sources: readonly SourceFile[]): readonly string[] => [
  ...sources
    .filter(({ path }) => /^test\/.*\.(test|contract)\.ts$|random-stretch\.ts$/.test(path))
    .flatMap(titlesIn),
  ...ALL_DIRECTED.map(({ title }) => title),
  ...ALL_MUTANTS.map(({ rule, name }) => `${rule}: ${name}`),
];
