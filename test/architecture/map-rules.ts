/**
 * Finds code that copies a map without `mapOf`: by a spread, a rest or an assignment to a key. Such
 * code makes a plain object, which moves keys such as "2" to its front (ADR 33). Only types tell a
 * map from an object with known keys, so this asks the compiler.
 */
import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "./import-rules.ts";
import { repositoryFiles } from "./repository.ts";

/** Values of users pass through these files. Adapters store them as texts. */
export const holdsUsersMaps = (path: string): boolean =>
  /^(lib\/(?!adapters\/)|client\/|cli\/)/.test(path) && path.endsWith(".ts");

/** Names of properties are ours, so their order cannot be a user's. */
const OWN_NAMES = /\bPropertySchema\b/;

const optionsOf = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
};

const programWith = (paths: readonly string[], sample: SampleFile): ts.Program => {
  const options = optionsOf();
  const host = ts.createCompilerHost(options);
  const samplePath = join(ROOT, sample.path);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === samplePath || fileExists(path);
  host.getSourceFile = (path, language, ...more) =>
    path === samplePath
      ? ts.createSourceFile(path, sample.text, language, true)
      : getSourceFile(path, language, ...more);
  const rootNames = [...paths, sample.path].map((path) => join(ROOT, path));
  return ts.createProgram({ rootNames, options, host });
};

const membersOf = (type: ts.Type): readonly ts.Type[] =>
  type.isUnion() ? type.types.flatMap(membersOf) : [type];

const isMap = (checker: ts.TypeChecker, node: ts.Node): boolean =>
  membersOf(checker.getTypeAtLocation(node)).some((type) => {
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    return index !== undefined && !OWN_NAMES.test(checker.typeToString(index.type));
  });

const lostBy = (node: ts.Node): ts.Node | null => {
  if (ts.isSpreadAssignment(node)) return node.expression;
  if (ts.isObjectBindingPattern(node))
    return node.elements.some(({ dotDotDotToken }) => dotDotDotToken !== undefined) ? node : null;
  const isAssignment =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  if (!isAssignment || !ts.isElementAccessExpression(node.left)) return null;
  return node.left.expression;
};

export interface SampleFile {
  readonly path: string;
  readonly text: string;
}

export interface LostOrders {
  readonly problems: readonly string[];
  readonly paths: readonly string[];
}

export const lostOrders = (sample: SampleFile): LostOrders => {
  const own = repositoryFiles().map(({ path }) => path);
  const program = programWith(own.filter(holdsUsersMaps), sample);
  const checker = program.getTypeChecker();
  const problems: string[] = [];
  const paths: string[] = [];
  for (const source of program.getSourceFiles()) {
    const path = relative(ROOT, source.fileName);
    if (!holdsUsersMaps(path)) continue;
    paths.push(path);
    const look = (node: ts.Node): void => {
      const lost = lostBy(node);
      if (lost !== null && isMap(checker, lost)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        problems.push(`${path}:${line + 1} ${node.getText(source)}`);
      }
      ts.forEachChild(node, look);
    };
    look(source);
  }
  return { problems, paths };
};
