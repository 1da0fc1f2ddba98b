/** Bundles the hunt with an engine that has the edits of one mutant. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type BuildOptions, build, context, type Metafile, type Plugin } from "esbuild";
import { present } from "#lib/errors.ts";
import type { Mutant } from "./mutant.ts";
import { passageOf } from "./passage.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** The bundles resolve packages from this folder, and git ignores it. */
const BUNDLES = join(ROOT, ".data/mutants");

const mutate = async ({ name, edits }: Mutant, file: string): Promise<string> => {
  let text = await readFile(join(ROOT, file), "utf8");
  for (const { find, replace } of edits.filter((one) => one.file === file)) {
    const passage = passageOf(text, find);
    if (passage === null) {
      throw new Error(`mutant "${name}" no longer applies to ${file}: mend its edits`);
    }
    text = text.slice(0, passage.start) + replace + text.slice(passage.end);
  }
  return text;
};

const filesOf = (mutants: readonly Mutant[]): ReadonlySet<string> =>
  new Set(mutants.flatMap(({ edits }) => edits.map(({ file }) => file)));

/** With this pattern a build calls the plugin only for the files that a mutant changes. */
const anyOf = (files: ReadonlySet<string>): RegExp =>
  new RegExp(`(?:${[...files].map((file) => file.replaceAll(".", "\\.")).join("|")})$`);

const mutation = (files: ReadonlySet<string>, mutantNow: () => Mutant | null): Plugin => ({
  name: "mutant",
  setup: ({ onLoad }) => {
    onLoad({ filter: anyOf(files) }, async ({ path }) => {
      const file = relative(ROOT, path);
      const mutant = mutantNow();
      return mutant?.edits.some((edit) => edit.file === file)
        ? { contents: await mutate(mutant, file), loader: "ts" }
        : null;
    });
  },
});

export interface Workshop {
  /** @returns the path of the bundle. Only one build may run at a time. */
  build(mutant: Mutant): Promise<string>;
  close(): Promise<void>;
}

const HUNT = "test/simulation/mutants/hunt.ts";

const OPTIONS = {
  absWorkingDir: ROOT,
  write: false,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node24",
  // Files that can be run as programs must not start inside a bundle.
  define: { "import.meta.main": "false" },
  logLevel: "silent",
} as const satisfies BuildOptions;

const unchangedIn = ({ inputs }: Metafile, files: ReadonlySet<string>): readonly string[] => {
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  }
  const changed = new Set(files);
  for (const file of changed) {
    for (const importer of importers.get(file) ?? []) changed.add(importer);
  }
  return Object.keys(inputs).filter((file) => !changed.has(file));
};

/**
 * One context builds all mutants, so that a build parses again only what its mutant edits. Each
 * bundle exports `entry`. Modules that no mutant changes are external, and a thread loads them once
 * for all its mutants.
 */
export const openWorkshop = async (mutants: readonly Mutant[], entry = HUNT): Promise<Workshop> => {
  const files = filesOf(mutants);
  let current: Mutant | null = null;
  let built = 0;
  await mkdir(BUNDLES, { recursive: true });
  const folder = await mkdtemp(join(BUNDLES, "m"));
  const options = { ...OPTIONS, entryPoints: [entry], outfile: join(folder, "mutant.mjs") };
  const { metafile } = await build({ ...options, metafile: true });
  const builder = await context({
    ...options,
    external: unchangedIn(metafile, files).map((file) => join(ROOT, file)),
    plugins: [mutation(files, () => current)],
  });
  return {
    build: async (mutant) => {
      for (const { file } of mutant.edits) await mutate(mutant, file);
      current = mutant;
      const { outputFiles } = await builder.rebuild();
      const path = join(folder, `${built++}.mjs`);
      await writeFile(path, present(outputFiles[0], "the bundle").contents);
      return path;
    },
    close: async () => {
      await builder.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
