/**
 * Rules about the code's meaning, checked on its syntax tree, so that words in strings and comments
 * cannot break them.
 */
import ts from "typescript";
import { holdsUsersMaps } from "./map-rules.ts";
import { everywhere, type Problem, type Rule, type SourceFile } from "./rule.ts";

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const WORDS_CHARS_MAX = 60;

export const parse = (path: string, text: string): SourceFile => ({
  path,
  text,
  syntax: ts.createSourceFile(path, text, ts.ScriptTarget.ES2024, true),
});

const lineOf = (node: ts.Node): number => {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
};

const lastLineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getEnd()).line + 1;

const linesOf = (node: ts.Node): number => lastLineOf(node) - lineOf(node) + 1;

/** All nodes from this one down, outer ones first. Nodes that are `isWhole` are not entered. */
const nodesBelow = (root: ts.Node, isWhole: (node: ts.Node) => boolean): readonly ts.Node[] => {
  const nodes: ts.Node[] = [];
  const look = (node: ts.Node): void => {
    nodes.push(node);
    if (!isWhole(node)) ts.forEachChild(node, look);
  };
  look(root);
  return nodes;
};

const known = new WeakMap<ts.Node, readonly ts.Node[]>();

const nodesOf = (root: ts.Node): readonly ts.Node[] => {
  const nodes = known.get(root) ?? nodesBelow(root, () => false);
  known.set(root, nodes);
  return nodes;
};

const nodeRule = (
  name: string,
  wordsFor: (node: ts.Node) => string | null,
  appliesTo: (path: string) => boolean = everywhere,
): Rule => ({
  name,
  appliesTo,
  problemsOf: ({ syntax }) => {
    const problems: Problem[] = [];
    for (const node of nodesOf(syntax)) {
      const what = wordsFor(node);
      if (what !== null) problems.push({ line: lineOf(node), what });
    }
    return problems;
  },
});

/**
 * The dotted name of an expression, without calls: `describe.each([…]).skip` is
 * `describe.each.skip`.
 */
const dottedName = (node: ts.Node): string => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node))
    return `${dottedName(node.expression)}.${node.name.text}`;
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node))
    return dottedName(ts.isCallExpression(node) ? node.expression : node.tag);
  return "";
};

const SUITE = /^(describe|suite|it|test)(\.|$)/;
const SKIPPED =
  /^(describe|suite|it|test)(\.\w+)*\.(skip|only|todo|fails)(\.|$)|^[xf](it|describe|test)$/;

const isSuiteCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && SUITE.test(dottedName(node.expression));

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && "body" in node && node.body !== undefined;

const holdsFunction = (node: ts.Node): boolean => nodesOf(node).some(isFunction);

/** Data and wire shapes have no limit: a literal without a function in it counts as one line. */
const isData = (node: ts.Node): boolean =>
  (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) && !holdsFunction(node);

const isShape = (node: ts.Node): boolean =>
  ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node);

const linesOfCode = (
  root: ts.Node,
  isLeftOut: (node: ts.Node) => boolean,
  allLines = linesOf(root),
): number => {
  const isCounted = (node: ts.Node): boolean =>
    !isLeftOut(node) && !isShape(node) && !(node !== root && isData(node));
  let lines = allLines;
  for (const node of nodesBelow(root, (one) => !isCounted(one))) {
    if (isLeftOut(node)) lines -= linesOf(node);
    else if (!isCounted(node)) lines -= linesOf(node) - 1;
  }
  return lines;
};

const ownLinesOf = (body: ts.Node): number => linesOfCode(body, isSuiteCall);

const functionLength = nodeRule(`a function has at most ${FUNCTION_LINES_MAX} lines`, (node) => {
  if (!isFunction(node)) return null;
  const lines = ownLinesOf(node);
  return lines > FUNCTION_LINES_MAX ? `a function of ${lines} lines` : null;
});

const fileLength: Rule = {
  name: `a file has at most ${FILE_LINES_MAX} lines of code`,
  appliesTo: everywhere,
  problemsOf: ({ syntax, text }) => {
    const lines = linesOfCode(syntax, () => false, text.trimEnd().split("\n").length);
    return lines > FILE_LINES_MAX ? [{ line: 1, what: `has ${lines} lines of code` }] : [];
  },
};

const noPackedLiteral = nodeRule("no literal is spread into another one", (node) => {
  const isPacked =
    (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
    (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression));
  return isPacked ? node.getText().slice(0, WORDS_CHARS_MAX) : null;
});

const isConst = (type: ts.TypeNode): boolean => type.getText() === "const";

const noCast = nodeRule("no type is asserted but `as const`", (node) => {
  if (ts.isTypeAssertionExpression(node)) return node.getText();
  return ts.isAsExpression(node) && !isConst(node.type) ? `as ${node.type.getText()}` : null;
});

const noNonNull = nodeRule("nothing is declared to be there with `!`", (node) => {
  const isDefinite =
    (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
    node.exclamationToken !== undefined;
  return ts.isNonNullExpression(node) || isDefinite ? node.getText() : null;
});

const noAny = nodeRule("nothing has the type any", (node) =>
  node.kind === ts.SyntaxKind.AnyKeyword ? node.parent.getText() : null,
);

const noSkippedTest = nodeRule(
  "every test runs",
  (node) => {
    if (!ts.isCallExpression(node)) return null;
    const name = dottedName(node.expression);
    return SKIPPED.test(name) ? name : null;
  },
  (path) => path.startsWith("test/"),
);

const MOCKED = /^(vi|vitest|jest)\.(mock|doMock|unmock|hoisted)$/;
const noMock = nodeRule("no module is replaced by a mock", (node) => {
  if (!ts.isCallExpression(node)) return null;
  const name = dottedName(node.expression);
  return MOCKED.test(name) ? name : null;
});

/** Naming one of these is enough, because it may be called or passed on. */
const PLATFORM = new Set([
  "process",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "fetch",
  "globalThis",
  "Buffer",
]);
const PLATFORM_MEMBERS = new Set(["Date.now", "Math.random"]);

const isValue = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  const isName = "name" in parent && parent.name === node;
  const isKey = ts.isBindingElement(parent) && parent.propertyName === node;
  return !isName && !isKey && !ts.isTypeNode(parent);
};

const platformWords = (node: ts.Node): string | null => {
  if (ts.isIdentifier(node)) return PLATFORM.has(node.text) && isValue(node) ? node.text : null;
  if (ts.isPropertyAccessExpression(node))
    return PLATFORM_MEMBERS.has(dottedName(node)) ? dottedName(node) : null;
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const isNow = node.expression.getText() === "Date" && (node.arguments?.length ?? 0) === 0;
    return isNow ? node.getText() : null;
  }
  return null;
};

const CORE =
  /^lib\/(model|graph|template|stack|convergence|software-config|resources|engine|api|stepping)\//;
const corePlatform = nodeRule(
  "the core knows no clock, chance, timer, environment or network",
  platformWords,
  (path) => CORE.test(path),
);

const noConsole = nodeRule(
  "the library prints nothing",
  (node) =>
    ts.isIdentifier(node) && node.text === "console" && isValue(node)
      ? node.parent.getText()
      : null,
  (path) => path.startsWith("lib/"),
);

/** Values of users pass through these folders, and only `parseJson` keeps their numbers. */
const PARSERS = new Set([
  "lib/json.ts",
  // These texts are records of the engine. Values of users are in sealed texts inside them.
  "lib/adapters/sqlite/database.ts",
]);
const exactNumbers = nodeRule(
  "JSON is parsed by parseJson, which keeps numbers",
  (node) =>
    dottedName(node) === "JSON.parse" || dottedName(node) === "z.json" ? dottedName(node) : null,
  (path) => /^(lib|functions|host|client|cli)\//.test(path) && !PARSERS.has(path),
);

/** A plain object moves keys such as "2" to its front. map-rules.ts finds what needs types. */
const LOSES_ORDER = new Set([
  "Object.fromEntries",
  "Object.assign",
  "Object.groupBy",
  "structuredClone",
]);
const NO_USERS_MAPS = new Set(["lib/json.ts", "apps/cli/connection/certificate-authority.ts"]);
const mapsInOrder = nodeRule(
  "a map is made by mapOf, which keeps its order",
  (node) => (LOSES_ORDER.has(dottedName(node)) ? dottedName(node) : null),
  (path) => holdsUsersMaps(path) && !NO_USERS_MAPS.has(path),
);

/** The record of zod leaves out the name `__proto__`. Names of projects cannot be that one. */
const userNames = nodeRule(
  "a record from users' names keeps each of them",
  (node) => (dottedName(node) === "z.record" ? node.getText().slice(0, WORDS_CHARS_MAX) : null),
  (path) =>
    /^lib\/(stack|software-config|resources|engine|api)\//.test(path) &&
    path !== "lib/api/request-limit.ts",
);

const isDefault = (node: ts.Node): boolean =>
  ts.isExportAssignment(node) ||
  (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)) ||
  (ts.isExportSpecifier(node) && node.name.text === "default");

const noDefaultExport = nodeRule(
  "nothing is exported as the default, but what a tool reads",
  (node) => (isDefault(node) ? node.parent.getText().slice(0, WORDS_CHARS_MAX) : null),
  (path) => !/(?:\.|\/\.vitepress\/)config\.ts$/.test(path),
);

const noReexport = nodeRule("a module exports only what is its own", (node) =>
  ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined ? node.getText() : null,
);

export const SYNTAX_RULES: readonly Rule[] = [
  fileLength,
  functionLength,
  noPackedLiteral,
  noCast,
  noNonNull,
  noAny,
  noSkippedTest,
  noMock,
  corePlatform,
  noConsole,
  exactNumbers,
  mapsInOrder,
  userNames,
  noDefaultExport,
  noReexport,
];
