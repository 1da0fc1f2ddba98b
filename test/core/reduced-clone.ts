/** Copies the core of this clone to a folder. All that is optional stays behind. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PROOF } from "../../vitest.config.ts";
import { ROOT } from "../architecture/import-rules.ts";
import { repositoryPaths } from "../architecture/repository.ts";
import { type CoreParts, coreParts } from "./core-parts.ts";

const SOURCE = /\.ts$/;

export interface ReducedClone extends CoreParts {
  readonly root: string;
  /** Of the product's sources. */
  readonly lines: number;
  /** The files of the product that stay behind, by their folders. */
  readonly optional: ReadonlyMap<string, number>;
}

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** `apps/cli/template/files.ts` is in `apps/cli`, and `docs/adr/0001.md` in `docs/adr`. */
export const folderOf = (path: string): string =>
  path.split("/").slice(0, -1).slice(0, 2).join("/");

/** How many there are of each, the most first. */
export const countBy = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].toSorted(([, one], [, other]) => other - one));
};

const IN_PRODUCT = /^(?:apps|docs|examples|functions|infra|lib|providers|tools)\//;

/** Answers of real Heat, which some tests skip without. They are no part of the repository. */
const RECORDED = join(ROOT, "../shared");

/** The packages are a link to those of this clone. */
export const reduceClone = (root: string): ReducedClone => {
  const paths = repositoryPaths();
  const proof = new Set(globSync(PROOF, { cwd: ROOT }));
  const files = new Map(paths.map((path) => [path, SOURCE.test(path) ? read(path) : null]));
  const parts = coreParts(files, (path) => proof.has(path));
  for (const path of parts.files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(ROOT, path), join(root, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  if (existsSync(RECORDED)) symlinkSync(RECORDED, join(dirname(root), basename(RECORDED)));
  const kept = new Set(parts.product);
  const behind = paths.filter((path) => IN_PRODUCT.test(path) && !kept.has(path));
  const sources = parts.product.filter((path) => SOURCE.test(path));
  return {
    ...parts,
    root,
    lines: sources.reduce((sum, path) => sum + read(path).split("\n").length - 1, 0),
    optional: countBy(behind.map((path) => path.split("/")[0] ?? path)),
  };
};
