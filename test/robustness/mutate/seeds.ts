import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const OWN_FOLDERS = ["examples", "test/image", "test/robustness/templates"];
const IS_SEED = /\.(?:ya?ml|template|env|json)$/;
const FILE_BYTES_MAX = 100_000;
const FOLDER_FILES_MAX = 20;

export interface SeedFile {
  readonly name: string;
  readonly text: string;
  /** A template can nest or read the other files of its folder. */
  readonly beside: Readonly<Record<string, string>>;
}

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => statSync(path).size <= FILE_BYTES_MAX)
    .sort();

const besideOf = (path: string, paths: readonly string[]): Readonly<Record<string, string>> => {
  const folder = dirname(path);
  const near = paths.filter((other) => other !== path && other.startsWith(`${folder}/`));
  return Object.fromEntries(
    near
      .slice(0, FOLDER_FILES_MAX)
      .map((other) => [relative(folder, other), readFileSync(other, "utf8")]),
  );
};

const seedsUnder = (folder: string): readonly SeedFile[] => {
  const paths = filesUnder(folder);
  return paths
    .filter((path) => IS_SEED.test(basename(path)))
    .map((path) => ({
      name: relative(folder, path),
      text: readFileSync(path, "utf8"),
      beside: besideOf(path, paths),
    }));
};

export const readSeeds = (folder: string | undefined): readonly SeedFile[] =>
  [...OWN_FOLDERS.map((own) => join(ROOT, own)), ...(folder === undefined ? [] : [folder])].flatMap(
    seedsUnder,
  );
