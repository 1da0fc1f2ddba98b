/** What of a clone is the core, and which tests need nothing else. */
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import manifest from "../../package.json" with { type: "json" };

const PRODUCT = [
  "functions/",
  "infra/",
  "lib/",
  // The functions bind these (ADR 54).
  "providers/boot/",
  "providers/cloud-control/",
  "providers/ec2/",
  "providers/openstack/",
  "providers/sdk/",
  // The tests of the API compare each answer with its description.
  "tools/packaging/rest/",
  "tools/packaging/rest-api.ts",
  // The description has the answers of the host's Keystone too.
  "apps/host/identity/documents.ts",
  "apps/host/identity/grants.ts",
  // The functions get the same events in the host as in their tests.
  "apps/host/lambda-events.ts",
];
const SHARED_BY_PROVIDERS = /^providers\/[^/]+\.ts$/;
const OPTIONAL_IN_LIB = ["lib/authoring/", "lib/stepping/"];

const TESTS = ["test/unit/", "test/contract/", "test/simulation/"];
/** Types, tests and deployment start with them. The tests' configuration names its set-up. */
const STARTS = [
  "cdk.json",
  "package-lock.json",
  "package.json",
  "test/core/vitest.config.ts",
  "test/leave-environment.ts",
  "tsconfig.json",
  "vitest.config.ts",
];

const isAt = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));

export const isProduct = (path: string): boolean =>
  (isAt(path, PRODUCT) || SHARED_BY_PROVIDERS.test(path)) && !isAt(path, OPTIONAL_IN_LIB);

/** `#lib/*` is `./lib/*`, and so on. */
const ALIASES = Object.entries(manifest.imports).map(([alias, folder]) => ({
  from: alias.slice(0, -1),
  to: folder.slice(0, -1),
}));

/** A file or a folder, named from the file itself or from the root, as far as the name is fixed. */
const FROM_FILE = /(?:new URL\(|import\.meta\.dirname,)\s*["'`]([^"'`$]+)/g;
const FROM_ROOT = /\(\s*ROOT,\s*["'`]([^"'`$]+)/g;

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** What a source imports, also by type only, and what it reads or starts. Of packages nothing. */
const namedBy = (path: string, text: string): readonly string[] => {
  const fromFile = (name: string): string => normalize(join(dirname(path), name));
  const imported = ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith(".")) return [fromFile(fileName)];
    const alias = ALIASES.find(({ from }) => fileName.startsWith(from));
    return alias ? [normalize(fileName.replace(alias.from, alias.to))] : [];
  });
  const read = namesIn(text, FROM_FILE).map(fromFile);
  return [...imported, ...read, ...namesIn(text, FROM_ROOT).map(normalize)];
};

/** Sources and others: the text of a file, or null if it names no other file. */
export type Files = ReadonlyMap<string, string | null>;

export interface CoreParts {
  /** All files of the core: product, tests, and what these need of `test`. */
  readonly files: readonly string[];
  readonly product: readonly string[];
  readonly tests: readonly string[];
  /** The other tests, each with a file that it needs and that is no part of the core. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** The files that a name stands for: itself, or what lies below. The root stands for nothing. */
const filesAt = (files: Files, name: string): readonly string[] => {
  if (files.has(name)) return [name];
  const folder = `${name.replace(/\/$/, "")}/`;
  return folder === "./" ? [] : [...files.keys()].filter((path) => path.startsWith(folder));
};

const openReach = (files: Files) => {
  const known = new Map<string, readonly string[]>();
  const neededBy = (path: string): readonly string[] => {
    const text = files.get(path) ?? "";
    const needed = known.get(path) ?? namedBy(path, text).flatMap((name) => filesAt(files, name));
    known.set(path, needed);
    return needed;
  };
  /** All that it reaches, itself first. */
  return (start: string): ReadonlySet<string> => {
    const reached = new Set([start]);
    // A set gives what is added to it meanwhile, too.
    for (const path of reached) for (const needed of neededBy(path)) reached.add(needed);
    return reached;
  };
};

/** `isProof` tells the tests that are no part of `npm test`. */
export const coreParts = (files: Files, isProof: (path: string) => boolean): CoreParts => {
  const reach = openReach(files);
  const isKept = (path: string): boolean =>
    isProduct(path) || path.startsWith("test/") || STARTS.includes(path);
  const tests: string[] = [];
  const leftOut = new Map<string, string>();
  for (const path of files.keys()) {
    if (!path.endsWith(".test.ts") || !isAt(path, TESTS) || isProof(path)) continue;
    const missing = [...reach(path)].find((needed) => !isKept(needed));
    if (missing === undefined) tests.push(path);
    else leftOut.set(path, missing);
  }
  const product = [...files.keys()].filter(isProduct);
  const starts = STARTS.filter((path) => files.has(path));
  const needed = [...starts, ...tests].flatMap((path) => [...reach(path)]).filter(isKept);
  return { files: [...new Set([...product, ...needed])], product, tests, leftOut };
};
