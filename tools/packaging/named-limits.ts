/**
 * Finds the limits that users can reach. These are constants whose comment has the tags `@limit`
 * with the name of the limit, and `@beyond` with what happens when it is exceeded. The values are
 * evaluated from the code.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "./bundle.ts";

const FOLDERS = ["functions", "lib", "apps/host", "infra"];
const IMPORTS = /^#(?=lib\/|functions\/|host\/)/;

export interface NamedLimit {
  readonly path: string;
  readonly name: string;
  readonly value: number;
  /** The unit is the end of the constant's name, such as `BYTES` or `MS`. */
  readonly unit: string;
  readonly limit: string;
  readonly beyond: string;
}

interface Constant {
  readonly source: ts.SourceFile;
  readonly declaration: ts.VariableDeclaration;
  readonly statement: ts.VariableStatement;
}

const MS_A_UNIT: Readonly<Record<string, number>> = {
  millis: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

const OPERATIONS: Readonly<Partial<Record<ts.SyntaxKind, (a: number, b: number) => number>>> = {
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.SlashToken]: (a, b) => a / b,
};

const parsed = new Map<string, ts.SourceFile>();

const sourceAt = (path: string): ts.SourceFile => {
  const source =
    parsed.get(path) ??
    ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(path, source);
  return source;
};

const constantsOf = (source: ts.SourceFile): readonly Constant[] =>
  source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.map((declaration) => ({
      source,
      declaration,
      statement,
    })),
  );

const constantIn = (source: ts.SourceFile, name: string): Constant => {
  const here = constantsOf(source).find(({ declaration }) => declaration.name.getText() === name);
  if (here !== undefined) return here;
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    if (!bindings.elements.some((element) => element.name.text === name)) continue;
    const module = statement.moduleSpecifier.getText().slice(1, -1);
    const folder = IMPORTS.test(module) ? ROOT : dirname(source.fileName);
    return constantIn(sourceAt(join(folder, module.replace(IMPORTS, ""))), name);
  }
  throw new Error(`${source.fileName}: no constant ${name}`);
};

const numberOf = (expression: ts.Expression | undefined, source: ts.SourceFile): number => {
  if (expression === undefined) throw new Error(`${source.fileName}: a limit without a value`);
  if (ts.isNumericLiteral(expression)) return Number(expression.text);
  if (ts.isParenthesizedExpression(expression)) return numberOf(expression.expression, source);
  if (ts.isIdentifier(expression)) {
    const { declaration, source: home } = constantIn(source, expression.text);
    return numberOf(declaration.initializer, home);
  }
  if (ts.isBinaryExpression(expression)) {
    const operation = OPERATIONS[expression.operatorToken.kind];
    if (operation !== undefined) {
      return operation(numberOf(expression.left, source), numberOf(expression.right, source));
    }
  }
  const duration = durationOf(expression, source);
  if (duration !== null) return duration;
  throw new Error(`${source.fileName}: no number: ${expression.getText()}`);
};

/** Evaluates `Duration.seconds(29)` of the CDK to milliseconds. */
const durationOf = (
  expression: ts.Expression | undefined,
  source: ts.SourceFile,
): number | null => {
  if (expression === undefined || !ts.isCallExpression(expression)) return null;
  const ms = MS_A_UNIT[/^Duration\.(\w+)$/.exec(expression.expression.getText())?.[1] ?? ""];
  return ms === undefined ? null : ms * numberOf(expression.arguments[0], source);
};

const tagOf = (statement: ts.VariableStatement, name: string): string | null => {
  const tag = ts.getJSDocTags(statement).find(({ tagName }) => tagName.text === name);
  const text = ts.getTextOfJSDocComment(tag?.comment);
  return text === undefined ? null : text.replaceAll(/\s+/g, " ").trim();
};

const unitIn = (name: string): string =>
  name.replace(/(?:_DEFAULT|_MAX|_MIN)+$/, "").replace(/^.*_/, "");

const limitOf = ({ source, declaration, statement }: Constant): NamedLimit | null => {
  const limit = tagOf(statement, "limit");
  if (limit === null) return null;
  const name = declaration.name.getText();
  const { initializer } = declaration;
  return {
    path: relative(ROOT, source.fileName),
    name,
    value: numberOf(initializer, source),
    unit: durationOf(initializer, source) === null ? unitIn(name) : "MS",
    limit,
    beyond: tagOf(statement, "beyond") ?? "",
  };
};

/**
 * `path` is relative to the root of the repository.
 * @throws when the constant is not a number.
 */
export const constantValue = (path: string, name: string): number => {
  const { source, declaration } = constantIn(sourceAt(join(ROOT, path)), name);
  return numberOf(declaration.initializer, source);
};

export const namedLimits = (): readonly NamedLimit[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .toSorted()
      .map((name) => join(ROOT, folder, name)),
  )
    .filter((path) => readFileSync(path, "utf8").includes("@limit "))
    .flatMap((path) => constantsOf(sourceAt(path)))
    .map(limitOf)
    .filter((limit) => limit !== null);
